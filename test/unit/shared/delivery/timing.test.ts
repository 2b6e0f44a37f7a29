import { startClock } from '../../../../nodes/shared/delivery/timing';

afterEach(() => void jest.restoreAllMocks());

test('the clock of an attempt reads as that of the machine, which may then be set', () => {
	const before = Date.now();
	const now = startClock();
	expect(now() - before).toBeLessThan(1_000);
	for (const set of [-3_600_000, 300_000]) {
		jest.spyOn(Date, 'now').mockReturnValue(before + set);
		expect(Math.abs(now() - before)).toBeLessThan(1_000);
		expect(Math.abs(startClock()() - before - set)).toBeLessThan(1_000);
	}
});
