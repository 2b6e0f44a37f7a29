const domestic = /^(?:\+?959|09)(\d{6,10})$/;
const international = /^\+([1-9]\d{6,14})$/;
const networks: Array<[RegExp, string]> = [
	[/^9597[4-9]/, 'Telenor'],
	[/^9599[4-9]/, 'Ooredoo'],
	[/^959[24589]/, 'MPT'],
];

/**
 * Converts a recipient (prefix 09, 959 or +959, or E.164 with a plus) to the form that the service returns:
 * digits only, 959... for domestic numbers. Undefined if it is not a phone number.
 */
export function readPhoneNumber(text: string): string | undefined {
	const [, subscriber] = domestic.exec(text) ?? [];
	if (subscriber !== undefined) return `959${subscriber}`;
	return text.startsWith('+959') ? undefined : international.exec(text)?.[1];
}

export function isDomestic(number: string): boolean {
	return number.startsWith('959');
}

/** Network names of the specification; Unknown for all other numbers. */
export function findNetwork(number: string): string {
	return networks.find(([prefix]) => prefix.test(number))?.[1] ?? 'Unknown';
}
