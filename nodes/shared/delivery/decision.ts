import { type HistorySays, ServiceError } from '../client/failure';
import type { MessageRecord } from '../client/types';
import type { Seen } from './history';
import type { Outgoing } from './message';

/** `takeBack`: its request did nothing. Everything else is told as "Outcome unknown". */
type Decision = 'sendAgain' | 'takeBack' | HistorySays;

/**
 * What becomes of a message that history has not shown in its time, by what history shows instead, how its last request
 * ended, and whether another may follow. The first row that matches counts.
 */
const decisions: Array<[when: RegExp, decision: Decision]> = [
	[/^nothing (rejected|denied)/, 'takeBack'],
	// A key without access to history is told clearly enough by a rejection.
	[/^noAccess (rejected (again|resumed)|denied)/, 'takeBack'],
	// A rejection is a response: what history does not show after a minute, while it shows others, was rejected.
	[/^nothing partlyRejected (once|resumed)/, 'takeBack'],
	[/ partlyRejected/, 'partlyRejected'],
	[/ partly/, 'partly'],
	[/^nothing lost (again|resumed)/, 'sendAgain'],
	[/^nothing/, 'nothing'],
	[/^uncertain/, 'uncertain'],
	[/^/, 'unreadable'],
];

export function decide(
	message: Outgoing,
	seen: Exclude<Seen, MessageRecord> | ServiceError,
): Decision {
	const { failure, lookUp, note } = message;
	const { isPartlyAccepted, isRejected } = note.doubt!;
	const isUnread = seen instanceof ServiceError;
	const shown = isUnread ? (seen.isOfAccess ? 'noAccess' : 'unreadable') : seen;
	const refusal = failure?.isOfAccess ? 'denied' : 'rejected';
	const alone = failure && !failure.mayHaveActed ? refusal : 'lost';
	const ended = isPartlyAccepted ? (isRejected ? 'partlyRejected' : 'partly') : alone;
	const next = lookUp!.isLast ? 'once' : failure ? 'again' : 'resumed';
	return decisions.find(([when]) => when.test(`${shown} ${ended} ${next}`))![1];
}
