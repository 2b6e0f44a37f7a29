import { ServiceError } from '../../../../nodes/shared/client/failure';
import { decide } from '../../../../nodes/shared/delivery/decision';
import type { Outgoing } from '../../../../nodes/shared/delivery/message';

const lost = ServiceError.of({ status: 502 });
const rejected = ServiceError.of({ status: 400 });
const denied = ServiceError.of({ status: 403 });
const seen = ['nothing', 'uncertain', lost, denied] as const;
const taken = ['takeBack', 'uncertain', 'unreadable', 'takeBack'];
const told = ['nothing', 'uncertain', 'unreadable', 'unreadable'];
const again = ['sendAgain', ...told.slice(1)];
const all = (what: string) => Array<string>(4).fill(what);
const accepted = { isPartlyAccepted: true };
const refused = { ...accepted, isRejected: true };
const clear = ['takeBack', ...all('partlyRejected').slice(1)];

/** For history that shows nothing of it, something like it, that fails, and that this key may not read. */
test.each<[string, ServiceError | undefined, object, string[], string[]]>([
	['a lost response', lost, {}, again, told],
	['an attempt before', undefined, {}, again, told],
	['a rejection', rejected, { isRejected: true }, taken, [...taken.slice(0, 3), 'unreadable']],
	['a refusal of the key', denied, { isRejected: true }, taken, taken],
	['a lost response, others accepted', lost, accepted, all('partly'), all('partly')],
	['a rejection, others accepted', rejected, refused, all('partlyRejected'), clear],
	['an attempt before, others accepted', undefined, refused, clear, clear],
])('of a message in doubt by %s', (_, failure, doubt, ifAgain, ifOnce) => {
	const decisionsOf = (isLast: boolean) => {
		const message = { failure, note: { doubt }, lookUp: { isLast } } as Outgoing;
		return seen.map((one) => decide(message, one));
	};
	expect([decisionsOf(false), decisionsOf(true)]).toEqual([ifAgain, ifOnce]);
});
