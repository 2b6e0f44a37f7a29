const domestic = /^(?:\+?959|09)(\d{5,10})$/;
const international = /^\+([1-9]\d{6,14})$/;
const networks: Array<[RegExp, string]> = [
	[/^9597[4-9]/, 'Telenor'],
	[/^9599[4-9]/, 'Ooredoo'],
	[/^959[24589]/, 'MPT'],
];

/**
 * Reads a recipient (prefixes 09, 959, +959, or E.164 with its plus) into the form the service answers
 * with: digits only, 959... for domestic numbers. Undefined when it is not a number.
 */
export function readPhoneNumber(text: string): string | undefined {
	const [, subscriber] = domestic.exec(text) ?? [];
	if (subscriber !== undefined) return flatten(`959${subscriber}`);
	const number = text.startsWith('+959') ? undefined : international.exec(text)?.[1];
	return number && flatten(number);
}

/** A text of its own: pieces of another one keep that in memory, a hundred thousand times over. */
function flatten(digits: string): string {
	return Buffer.from(digits, 'latin1').toString('latin1');
}

export function isDomestic(number: string): boolean {
	return number.startsWith('959');
}

/** Network names of the specification; everything else is Unknown. */
export function findNetwork(number: string): string {
	return networks.find(([prefix]) => prefix.test(number))?.[1] ?? 'Unknown';
}
