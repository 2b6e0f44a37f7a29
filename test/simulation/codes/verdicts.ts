import type { CodeWorld } from './world';
import type { CodeAttempt, CodeBook, CodeRequest } from './book';
import { before, isLost, isRead, isUnclear, nameOf, placeOf, requestsFor } from './reading';
import type { Violation } from '../invariants';

type Invariant = (world: CodeWorld, book: CodeBook) => Violation[];

const verifiedOutput = 1;
const isCheck = ({ kind }: CodeRequest) => kind === 'check';

/** Whether the code may be proved: for this recipient, if one must be. */
function isExpected(
	{ isExpected: isGiven }: CodeWorld,
	attempt: CodeAttempt,
	item: number,
	phone: string,
	shown = phone,
): boolean {
	if (!isGiven) return true;
	const wanted = attempt.items[item].json.expectedTo;
	const spell = (to: string) =>
		to.includes('@')
			? to.toLowerCase()
			: to.replace(/^\+|^0(?=9)/, (sign) => (sign === '0' ? '95' : ''));
	return (
		typeof wanted === 'string' &&
		wanted !== '' &&
		spell(wanted) === spell(phone) &&
		!shown.includes('*')
	);
}

/** SECURITY.md: "Only a complete confirmation reaches Verified", "With Must Belong To, only a confirmation for that
 * recipient reaches Verified". */
export const verifiedOnlyConfirmed: Invariant = (world, book) =>
	verifications(book).flatMap(({ attempt, output, place, json }): Violation[] => {
		if ((output === verifiedOutput) !== (json.verified === true))
			return [
				{
					sign: '1 output',
					what: `${nameOf(attempt, place)}: output ${output} has verified: ${String(json.verified)}`,
				},
			];
		if (json.verified !== true) return [];
		const { json: given, digits } = attempt.items[place];
		const proofs = requestsFor(before(book, attempt), place).filter(
			(one) =>
				isRead(one) &&
				one.confirmed?.id === String(given.requestId) &&
				one.confirmed.code === digits,
		);
		const isFor = proofs.some(({ confirmed }) =>
			isExpected(world, attempt, place, confirmed!.phone),
		);
		const what = `${nameOf(attempt, place)} is verified, with ${proofs.length} confirmations`;
		return isFor
			? []
			: [
					{
						sign:
							proofs.length === 0 ? '1 verified without confirmation' : '2 verified for another',
						what,
					},
				];
	});

/** docs/otp-verify.md: "The service confirmed this code for this request" lets the person in; each rejection has its
 * reason. */
export const rejectedForAReason: Invariant = (world, book) =>
	verifications(book).flatMap(({ attempt, place, json }): Violation[] => {
		if (json.verified === true) return [];
		const checks = requestsFor(before(book, attempt), place);
		const last = checks.at(-1);
		const { reason } = json;
		const phone = last?.confirmed?.phone ?? '';
		const isMasked = world.service.number === 'masked' && !phone.includes('@');
		const isConfirmed = last !== undefined && isRead(last) && last.confirmed !== undefined;
		const shown = isMasked ? '*' : phone;
		const isGood = (() => {
			if (reason === 'notACode') return attempt.items[place].digits === '' && !last;
			if (reason === 'otherRecipient')
				return (
					world.isExpected &&
					(isConfirmed
						? !isExpected(world, attempt, place, phone, shown)
						: last === undefined && isUnclear(attempt, place))
				);
			if (isConfirmed) return false;
			const isWrong = [400, 422].includes(Number(last?.got)) || last?.says === 'no';
			if (reason === 'rejected') return last !== undefined && isWrong;
			const lost = book.requests.filter(
				(one) =>
					isCheck(one) &&
					(one.endOrder ?? Infinity) < (last?.endOrder ?? 0) &&
					one.query.requestId === last?.query.requestId &&
					isLost(one),
			);
			const wasLost = lost.length > 0;
			// Whether this execution or this process knows of one.
			const isKnownLost = lost.some(
				({ attempt: from, endedAt = 0 }) =>
					(from.process === attempt.process && (last?.at ?? 0) - endedAt < 3_500_000) ||
					before(book, attempt).includes(from),
			);
			if (reason === 'couldNotCheck') return last !== undefined && isWrong && wasLost;
			return reason === 'wrongOrExpired' && last !== undefined && isWrong && !isKnownLost;
		})();
		const what = `${nameOf(attempt, place)}: ${String(reason)} after ${checks.length} checks, the last ${String(last?.got)} (${String(last?.plan?.response)})`;
		return isGood ? [] : [{ sign: `3 rejected as ${String(reason)}`, what }];
	});

/** The results of checks that n8n went on with. */
function verifications(book: CodeBook) {
	return book.attempts
		.filter(({ node, state }) => node === 'OtpVerify' && state === 'returned')
		.flatMap((attempt) =>
			attempt.outputs.flatMap((items, output) =>
				items
					.filter(({ json }) => json.error === undefined)
					.map((one) => ({ attempt, output, place: placeOf(one), json: one.json })),
			),
		);
}
