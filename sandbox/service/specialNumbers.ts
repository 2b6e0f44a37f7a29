import type { Behaviour } from '../entities';
import type { Settings } from '../settings';

const ordinary: Behaviour = { statuses: ['Sent', 'Delivered'] };

/** No operator has numbers that start with 09 000, so only tests use them. */
const builtIn: Record<string, Behaviour> = {
	'959000000001': ordinary,
	'959000000002': { statuses: ['Sent', 'Undelivered'] },
	'959000000003': { statuses: ['Sent', 'Failed'] },
	'959000000004': { statuses: ['Rejected'] },
	'959000000005': { statuses: ['Sent', 'Error'] },
	'959000000006': { statuses: ['Sent', 'Pending', 'Expired'] },
	'959000000007': { statuses: ['Sent', 'Pending'] },
	'959000000008': { statuses: [] },
	'959000000009': { statuses: ['Sent', '?'] },
	'959000000010': { statuses: ['Sent', 'Success'] },
	'959000000011': { statuses: [], refusal: 'inBody' },
	'959000000012': { statuses: ['Sent', 'Delivered'], receipts: 'twice' },
	'959000000013': { statuses: ['Sent', 'Delivered'], receipts: 'reversed' },
	'959000000014': { statuses: ['Sent', 'Delivered'], paceFactor: 10 },
	'959000000015': { statuses: ['Sent', 'Delivered'], answerDelayMs: 3000 },
	'959000000016': { statuses: ['Sent', 'Buffered'] },
	'959000000017': { statuses: ['Sent', 'Delivered'], receipts: 'none' },
	'959000000018': { statuses: [], refusal: 'byStatus' },
	'959000000019': { statuses: ['Sent', 'Delivered'], isEarly: true },
};

/** All special numbers with their behavior: those of the setting `numbers`, then the built-in ones. */
export function listSpecialNumbers({ numbers }: Settings): Array<[string, Behaviour]> {
	return [...Object.entries(numbers), ...Object.entries(builtIn)];
}

/** @param number digits only, with country code; or an email address */
export function findBehaviour({ numbers }: Settings, number: string): Behaviour {
	const known = Object.hasOwn(numbers, number) ? numbers : builtIn;
	return (Object.hasOwn(known, number) && known[number]) || ordinary;
}
