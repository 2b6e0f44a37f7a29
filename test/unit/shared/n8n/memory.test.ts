import { isVerified, rememberVerified, RunMemory } from '../../../../nodes/shared/n8n/memory';
import { newExecution, nowhere, openContext } from '../../../support/workflow/openContext';

describe('the memory of a run', () => {
	test('is there in the next attempt of the same run, under its own name', () => {
		const execution = newExecution();
		const open = (name: 'requests' | 'checks', runIndex = 0) =>
			RunMemory.open<string>(openContext(nowhere, { execution, runIndex }), name);
		open('requests').keep(3, 'kept');
		expect(open('requests').find(3)).toBe('kept');
		expect(open('requests').find(2)).toBeUndefined();
		expect(open('checks').find(3)).toBeUndefined();
		expect(open('requests', 1).find(3)).toBeUndefined();
	});
});

test('a code is verified once it was remembered, and a code without an ID never is', () => {
	expect(isVerified('one')).toBe(false);
	rememberVerified('one');
	expect([isVerified('one'), isVerified('another'), isVerified(undefined)]).toEqual([
		...[true, false, false],
	]);
});
