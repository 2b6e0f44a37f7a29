import type { FaultRule } from '../../sandbox';

type Share = Pick<FaultRule, 'effect' | 'when'> & { share: number };

const elsewhere = { location: 'http://127.0.0.1:9/' };

/**
 * Which part of all requests meets which fault: 30 % in all, a good third of it after the service has acted. A 429
 * is rare, since our nodes then send nothing at all for a while.
 */
const mix: Share[] = [
	{ share: 0.05, when: 'after', effect: 'cut' },
	{ share: 0.03, when: 'after', effect: { status: 500 } },
	{ share: 0.02, when: 'after', effect: { status: 502, body: '<html>Bad Gateway</html>' } },
	{ share: 0.015, when: 'after', effect: 'brokenJson' },
	{ share: 0.005, when: 'after', effect: 'hang' },
	{ share: 0.04, effect: 'cut' },
	{ share: 0.05, effect: { status: 500 } },
	{ share: 0.05, effect: { status: 502 } },
	{ share: 0.007, effect: { status: 429 } },
	{ share: 0.003, effect: { status: 429, headers: { 'Retry-After': '1' } } },
	{ share: 0.01, effect: { redirect: elsewhere } },
	{ share: 0.01, effect: 'brokenJson' },
	{ share: 0.01, effect: 'hang' },
];

const slow = { share: 0.03, effect: { slowMs: 300 } };

/** The rules of the sandbox, which are tried one after the other, so each draws from what the others left. */
function toRules(shares: Share[]): FaultRule[] {
	let left = 1;
	return shares.map(({ share, ...rule }) => {
		const probability = share / left;
		left -= share;
		return { ...rule, probability };
	});
}

export const passingFaults = toRules([...mix, slow]);
