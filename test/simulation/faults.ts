import type { Attempt, Book, Stored } from './book';
import type { Violation } from './invariants';
import { groupBy } from './reading';
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

export const knownFaults: KnownFault[] = [
	{
		name: 'times that fit no zone',
		isStory: (violation, world) => {
			const { zoneMinutes, clockMs, hasDate } = world.service;
			const isKnown =
				[0, 390].includes(zoneMinutes) ||
				(zoneMinutes === 420 && world.serviceTimeZone === 'Asia/Bangkok');
			const isUnseen = isTwice(violation) || violation.sign.startsWith('2 accepted, reported as');
			return isUnseen && (!isKnown || (Math.abs(clockMs) > 60_000 && !hasDate));
		},
	},
	{
		name: 'retries in two processes within the lag of history',
		isStory: (violation, _, book) =>
			isTwice(violation) &&
			copiesOf(book, violation).some((copies) => isFromTwo(copies, ({ process }) => process)),
	},
	{
		// never-twice.md names it as a limit: n8n keeps nothing else that tells them apart.
		name: 'executions of one millisecond that fail before the node',
		isStory: ({ sign }, { executions }) =>
			/^[24]|^3 "Nothing/.test(sign) &&
			executions.some(
				({ atMs, workflow, failsBefore }, n) =>
					failsBefore &&
					executions.some(
						(other, m) =>
							m !== n && other.failsBefore && other.atMs === atMs && other.workflow === workflow,
					),
			),
	},
	{
		name: 'an outage takes long',
		isStory: ({ sign }) => sign.startsWith('5 takes longer'),
	},
	{
		name: 'a question that was sent is called unsent',
		isStory: ({ sign, what }) => /^[23] /.test(sign) && /link no longer works/.test(what),
	},
];
