import type { Behaviour } from '../entities';
import type { Settings } from '../settings';

const ordinary: Behaviour = { statuses: ['Sent', 'Delivered'] };

/** No operator has numbers that start with 09 000, so only tests use them. */
const prefix = '9590000000';

const byLastDigits: Record<string, Behaviour> = {
	'01': ordinary,
	'02': { statuses: ['Sent', 'Undelivered'] },
	'03': { statuses: ['Sent', 'Failed'] },
	'04': { statuses: ['Rejected'] },
	'05': { statuses: ['Sent', 'Error'] },
	'06': { statuses: ['Sent', 'Pending', 'Expired'] },
	'07': { statuses: ['Sent', 'Pending'] },
	'08': { statuses: [] },
	'09': { statuses: ['Sent', '?'] },
	'10': { statuses: ['Sent', 'Success'] },
	'11': { statuses: [], refusal: 'inBody' },
	'12': { statuses: ['Sent', 'Delivered'], receipts: 'twice' },
	'13': { statuses: ['Sent', 'Delivered'], receipts: 'reversed' },
	'14': { statuses: ['Sent', 'Delivered'], paceFactor: 10 },
	'15': { statuses: ['Sent', 'Delivered'], answerDelayMs: 3000 },
	'16': { statuses: ['Sent', 'Buffered'] },
	'17': { statuses: ['Sent', 'Delivered'], receipts: 'none' },
	'18': { statuses: [], refusal: 'byStatus' },
	'19': { statuses: ['Sent', 'Delivered'], isEarly: true },
};

/** All special numbers with their behavior: those of the setting `numbers`, then the built-in ones. */
export function listSpecialNumbers({ numbers }: Settings): Array<[string, Behaviour]> {
	const built = Object.entries(byLastDigits).map(([digits, behaviour]): [string, Behaviour] => [
		`${prefix}${digits}`,
		behaviour,
	]);
	return [...Object.entries(numbers), ...built.sort(([one], [other]) => one.localeCompare(other))];
}

/** @param number digits only, with country code; or an email address */
export function findBehaviour({ numbers }: Settings, number: string): Behaviour {
	const own = Object.hasOwn(numbers, number) ? numbers[number] : undefined;
	if (own) return own;
	if (number.length !== prefix.length + 2 || !number.startsWith(prefix)) return ordinary;
	return byLastDigits[number.slice(-2)] ?? ordinary;
}
