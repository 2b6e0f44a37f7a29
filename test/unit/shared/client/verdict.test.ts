import { judge, rules } from '../../../../nodes/shared/client/verdict';

const forms = ['page', 'json', 'rejection'] as const;
const statuses = Array.from({ length: 500 }, (_, n) => n + 100);

describe('the table of verdicts', () => {
	test.each(rules)('uses its row "$when"', (row) => {
		const failures = [
			...statuses.flatMap((status) => [{ status }, ...forms.map((form) => ({ status, form }))]),
			{ isUnsent: true },
			{ code: 'ETIMEDOUT' },
			{ code: 'ECONNRESET' },
		];
		const { kind, acted, about, isLate = false, ofCode } = row;
		const verdicts = failures.map(judge);
		expect(verdicts).toContainEqual(expect.objectContaining({ kind, acted, about, isLate }));
		expect(verdicts.some((verdict) => verdict.kind === kind && verdict.ofCode === ofCode)).toBe(
			true,
		);
	});

	test.each([408, 504, 522, 524])('expects that the service acts later after a %i', (status) => {
		expect(judge({ status })).toMatchObject({ acted: 'perhaps', isLate: true });
	});

	test('counts a request that never left as unsent, even after a long time', () => {
		expect(judge({ code: 'ETIMEDOUT', isUnsent: true }).acted).toBe('no');
		expect(judge({ code: 'ETIMEDOUT' })).toMatchObject({ acted: 'perhaps', isLate: true });
		expect(judge({}).acted).toBe('perhaps');
	});

	test('never accepts a code for checked where the service rejects the caller or fails', () => {
		const unchecked = [401, 403, 405, 408, 429, 500, 503, 504].map(
			(status) => judge({ status }).ofCode,
		);
		expect(unchecked).toEqual(unchecked.map(() => undefined));
	});
});
