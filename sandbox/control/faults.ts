import type { ActiveFault, FaultRule, LoggedRequest } from '../entities';
import { faultRule } from '../schemas';
import { read } from '../shapes';
import type { State } from '../state';
import type { Traffic } from './traffic';

/** @throws WrongValue when the rule is not a valid `FaultRule` */
export function addFault(traffic: Traffic, given: FaultRule): void {
	traffic.faults.push({ rule: read(faultRule, given), seen: 0, hits: 0 });
}

/** The first rule that matches and fires, in the order in which they were added. */
export function pickFault(
	{ random }: State,
	{ faults }: Traffic,
	request: LoggedRequest,
): FaultRule | undefined {
	return faults.find((fault) => doesFire(random, fault, request))?.rule;
}

function doesFire(random: () => number, fault: ActiveFault, request: LoggedRequest): boolean {
	const { rule } = fault;
	if (!doesMatch(rule, request)) return false;
	fault.seen += 1;
	if (fault.seen <= (rule.skip ?? 0)) return false;
	if (fault.hits >= (rule.count ?? Infinity)) return false;
	if (random() >= (rule.probability ?? 1)) return false;
	fault.hits += 1;
	return true;
}

function doesMatch({ match = {} }: FaultRule, request: LoggedRequest): boolean {
	const { path, method, contains } = match;
	return (
		(path === undefined || doesPathMatch(path, request.path)) &&
		(method === undefined || method.toUpperCase() === request.method) &&
		(contains === undefined || readContent(request).includes(JSON.stringify(contains).slice(1, -1)))
	);
}

function doesPathMatch(wanted: string, path: string): boolean {
	const full = wanted.startsWith('/api') ? wanted : `/api${wanted}`;
	return full.endsWith('*') ? path.startsWith(full.slice(0, -1)) : path === full;
}

function readContent({ query, body }: LoggedRequest): string {
	return JSON.stringify([Object.values(query), body]);
}

export function describeFault({ when = 'before', laterMs, effect }: FaultRule): string {
	const time = laterMs === undefined ? when : `${laterMs} ms later`;
	return `${time}: ${typeof effect === 'string' ? effect : JSON.stringify(effect)}`;
}
