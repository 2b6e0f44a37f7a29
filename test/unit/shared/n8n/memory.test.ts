import { RunMemory } from '../../../../nodes/shared/n8n/memory';
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

	test('forgets an item, and all of a run', () => {
		const execution = newExecution();
		const open = () => RunMemory.open<string>(openContext(nowhere, { execution }), 'requests');
		open().keep(0, 'a');
		open().keep(1, 'b');
		open().forget(0);
		expect([open().find(0), open().find(1)]).toEqual([undefined, 'b']);
		open().forgetRun();
		expect(open().find(1)).toBeUndefined();
	});
});
