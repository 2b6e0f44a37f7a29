import type { Attempt, Book, Request, Stored } from './book';
import type { Violation } from './invariants';
import { groupBy, isBulk, isClearlyRejected, isFailed, isSend, isSentOnce } from './reading';
import type { World } from './world';

/** A fault that is known, so that a search can go on behind it. */
export interface KnownFault {
	name: string;
	/** Whether this is its story, not that of another fault. */
	isStory(violation: Violation, world: World, book: Book): boolean;
}

const isTwice = ({ sign }: Violation) => sign.startsWith('1 sent');
/** Messages to the number that it is about, by execution. */
const copiesOf = ({ stored }: Book, { to }: Violation) => {
	const copies = stored.filter((one) => one.to === to);
	return [...groupBy(copies, ({ request }) => String(request.attempt.family)).values()];
};
const isFromTwo = (copies: Stored[], of: (attempt: Attempt) => unknown) =>
	new Set(copies.map(({ request }) => of(request.attempt))).size > 1;

/** Whether a request was rejected, but its message accepted. */
const hasActed = (request: Request, { to }: Violation) =>
	isClearlyRejected(request) && request.stored.some((one) => one.to === to);

export const knownFaults: KnownFault[] = [
	{
		name: 'a time zone that does not exist in the credential',
		isStory: (_, { serviceTimeZone }) => serviceTimeZone === 'GMT+6:30',
	},
	{
		name: 'a trunk zero after the country code',
		isStory: ({ to, attempt }) =>
			to !== undefined &&
			(attempt?.rows.some((row) => row.numbers[0] === to && /^\+\d+ 0/.test(row.to)) ?? false),
	},
	{
		name: 'halves that wait for themselves',
		isStory: (violation, world, book) =>
			/^[57]/.test(violation.sign) &&
			isBulk(world) &&
			book.requests.filter((one) => isSend(one) && isClearlyRejected(one) && one.numbers.length > 1)
				.length > 1,
	},
	{
		name: 'an error that says stopped',
		isStory: ({ sign }) => sign.startsWith('3 "stopped"'),
	},
	{
		name: 'a look-back that fails',
		isStory: ({ sign, what, attempt: { requests } = { requests: [] as Request[] } }) => {
			const isUnread = requests.some((one) => one.kind === 'read' && isFailed(one));
			if (sign.startsWith('3 "may have been sent"')) return isUnread;
			return /^2 accepted/.test(sign) && /Nothing was sent in this attempt/.test(what) && isUnread;
		},
	},
	{
		name: 'unavailable by the last failure alone',
		isStory: ({ sign, what }) =>
			sign === '2 accepted, reported as unavailable' && /probably was not/.test(what),
	},
	{
		name: 'nothing was sent, in a later round of a loop',
		isStory: ({ sign }, { passes }) => sign.startsWith('3 "Nothing was sent"') && passes > 1,
	},
	{
		name: 'a reference in another form',
		isStory: (violation, { service, options, rows }) =>
			isTwice(violation) &&
			['trimmed', 'number', 'lower'].includes(service.reference) &&
			options.clientReference !== undefined &&
			rows.some(({ ref }) => ref !== undefined),
	},
	{
		name: 'times that fit no zone',
		isStory: (violation, world) => {
			const { zoneMinutes, clockMs, hasDate } = world.service;
			const isKnown =
				[0, 390].includes(zoneMinutes) ||
				(zoneMinutes === 420 && world.serviceTimeZone === 'Asia/Bangkok');
			return isTwice(violation) && (!isKnown || (Math.abs(clockMs) > 60_000 && !hasDate));
		},
	},
	{
		name: 'a time-out of a proxy',
		isStory: (violation, _, { requests }) =>
			isTwice(violation) &&
			requests.some(({ plan, stored }) => {
				const isProxy = plan?.response === 522 || plan?.response === 524;
				return isProxy && stored.some(({ to }) => to === violation.to);
			}),
	},
	{
		name: 'retries whose input is in another order',
		isStory: (violation, { executions }, book) =>
			isTwice(violation) &&
			copiesOf(book, violation).some((copies) => {
				const { family } = copies[0].request.attempt;
				return executions[family].failsBefore && isFromTwo(copies, ({ execution }) => execution);
			}),
	},
	{
		name: 'retries in two processes within the lag of history',
		isStory: (violation, _, book) =>
			isTwice(violation) &&
			copiesOf(book, violation).some((copies) => isFromTwo(copies, ({ process }) => process)),
	},
	{
		name: 'a rejected request that history cannot be read for',
		isStory: (violation, world, { requests }) =>
			/^[12] /.test(violation.sign) &&
			!isSentOnce(world) &&
			requests.some(({ kind, got }) => kind === 'read' && got !== 200) &&
			requests.some((one) => hasActed(one, violation)),
	},
	{
		name: 'a half that is rejected, but accepted in part',
		isStory: (violation, _, { requests }) =>
			/^[12] /.test(violation.sign) && requests.some((one) => hasActed(one, violation)),
	},
	{
		name: 'not sent, though the first request was accepted',
		isStory: ({ sign, what }) =>
			/^2 accepted, reported as/.test(sign) && /The message was not sent/.test(what),
	},
	{
		name: 'executions of one millisecond share a scope',
		isStory: ({ sign }, { executions }) =>
			/^[24]|^3 "Nothing/.test(sign) &&
			executions.some((one, n) =>
				executions.some(
					(other, m) => m !== n && one.atMs === other.atMs && one.workflow === other.workflow,
				),
			),
	},
	{
		name: 'a record of another execution is taken while its outcome is open',
		isStory: (violation, _, { attempts, stored }) => {
			const { to, attempt } = violation;
			if (violation.sign === '4 the record of another execution') return true;
			const own = stored.filter(
				(one) => one.to === to && one.request.attempt.family === attempt?.family,
			);
			const others = attempts.filter(({ family }) => family !== attempt?.family);
			const shown = others.flatMap(({ items }) => items.map(({ json }) => json.messageId));
			const isLookedAt = others.some((one) => one.kind === 'dryRun');
			return (
				isTwice(violation) &&
				own.some(({ id, request }) => shown.includes(id) || (isLookedAt && !isFailed(request)))
			);
		},
	},
	{
		name: 'a retry that its own failure keeps from sending',
		isStory: ({ sign }) => sign.startsWith('3 fails without a request'),
	},
	{
		name: 'an outage that is called unknown, or takes long',
		isStory: ({ sign }) =>
			sign === '3 an outage is called unknown' || sign.startsWith('5 takes longer'),
	},
	{
		name: 'pages of old history',
		isStory: ({ sign }) => sign === '6 reads old history',
	},
	{
		name: 'a request that rests for itself ignores a longer Retry-After',
		isStory: ({ sign }) => sign === '6 a request during Retry-After',
	},
	{
		name: 'Stop while another execution is awaited',
		isStory: ({ sign, attempt }, _, book) =>
			sign === '5 Stop takes long' &&
			book.attempts.some(
				(one) =>
					one !== attempt &&
					one.begunAt <= (attempt?.stoppedAt ?? 0) &&
					(one.endedAt ?? 0) > (attempt?.stoppedAt ?? 0),
			),
	},
	{
		name: 'a half is sent once more than three times',
		isStory: ({ sign, attempt }, world) =>
			sign.startsWith('6 more than three') &&
			isBulk(world) &&
			(attempt?.requests.some((one) => isSend(one) && isClearlyRejected(one)) ?? false),
	},
	{
		name: 'another form without a time that can be read',
		isStory: (violation, { service }) =>
			isTwice(violation) &&
			service.createdAt === 'missing' &&
			(service.text === 'other' || service.sender !== 'usual' || service.reference !== 'usual'),
	},
	{
		name: 'messages that another execution sent count as sent before this',
		isStory: ({ sign }) => sign === '3 counts messages that are not there',
	},
	{
		name: 'a question that was sent is called unsent',
		isStory: ({ sign, what }) => /^[23] /.test(sign) && /link no longer works/.test(what),
	},
	{
		name: 'lookups go on after the node has ended',
		isStory: ({ sign }, _, { attempts }) =>
			sign.startsWith('7') &&
			attempts.some(({ endedAt = 0, requests }) => requests.some(({ at }) => at > endedAt)),
	},
];
