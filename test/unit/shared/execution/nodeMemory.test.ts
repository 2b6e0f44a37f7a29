import { RunMemory } from '../../../../nodes/shared/execution/nodeMemory';
import { newExecution, openContext } from '../../../support/workflow/openContext';

const service = { baseUrl: 'http://127.0.0.1:1/api', apiKey: 'key', apiSecret: 'secret' };

describe('the memory of a run', () => {
	test('is there in the next attempt of the same run, under its own name', () => {
		const execution = newExecution();
		const open = (name: string, runIndex = 0) =>
			RunMemory.open<string>(openContext(service, { execution, runIndex }), name);
		open('codes').keep(3, 'kept');
		expect(open('codes').find(3)).toBe('kept');
		expect(open('codes').find(2)).toBeUndefined();
		expect(open('checks').find(3)).toBeUndefined();
		expect(open('codes', 1).find(3)).toBeUndefined();
	});

	test('forgets an item, and all of a run', () => {
		const execution = newExecution();
		const open = () => RunMemory.open<string>(openContext(service, { execution }), 'codes');
		open().keep(0, 'a');
		open().keep(1, 'b');
		open().forget(0);
		expect([open().find(0), open().find(1)]).toEqual([undefined, 'b']);
		open().forgetRun();
		expect(open().find(1)).toBeUndefined();
	});
});
