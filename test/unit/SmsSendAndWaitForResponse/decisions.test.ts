import {
	decideOnce,
	findDecision,
	type Decision,
} from '../../../nodes/SmsSendAndWaitForResponse/decisions';

const decision = (isCounted: Promise<boolean>): Decision => ({
	response: { data: { approved: true }, words: 'Yes' },
	at: new Date(),
	isCounted,
});
const counted = decision(Promise.resolve(true));

test('finds what was decided once it counts', async () => {
	let count: (isCounted: boolean) => void = () => undefined;
	const open = decision(new Promise((resolve) => (count = resolve)));
	expect(await decideOnce('a', () => open)).toBeUndefined();
	const found = [findDecision('a'), decideOnce('a', () => counted)];
	count(true);
	expect(await Promise.all(found)).toEqual([open, open]);
	expect(await findDecision('b')).toBeUndefined();
});

test('forgets what n8n did not go on with, and lets one other press decide', async () => {
	await decideOnce('c', () => decision(Promise.resolve(false)));
	const presses = Array.from({ length: 5 }, async () => await decideOnce('c', () => counted));
	const earlier = await Promise.all(presses);
	expect(earlier.filter((found) => !found)).toHaveLength(1);
});

test('keeps no more than the last 500', async () => {
	for (let n = 0; n < 501; n += 1) await decideOnce(`n ${n}`, () => counted);
	expect(await findDecision('n 0')).toBeUndefined();
	expect(await findDecision('n 1')).toBe(counted);
	expect(await findDecision('n 500')).toBe(counted);
});
