import { progressTiming, stoppedKey } from '../../../../nodes/shared/execution/progress';
import { runPerItem } from '../../../../nodes/shared/execution/runPerItem';
import { newExecution, openContext } from '../../../workflow/openContext';
import { useSandbox } from '../../../workflow/useSandbox';

const pause = async (ms: number) => await new Promise((resolve) => setTimeout(resolve, ms));

describe('A run that takes long', () => {
	const service = useSandbox();
	const { ...real } = progressTiming;
	beforeAll(() => Object.assign(progressTiming, { everyMs: 100, napMs: 10 }));
	afterAll(() => Object.assign(progressTiming, real));

	/** The second of three items takes as long as the test wants; what n8n was told is listed. */
	const start = (workMs: number, signal?: AbortSignal) => {
		const items = [{}, {}, {}];
		const execution = newExecution();
		const settings = { onError: 'continueRegularOutput' as const };
		const circumstances = { items, settings, mode: 'manual' as const, execution, signal };
		const context = openContext(service, circumstances);
		const log = jest.spyOn(context.logger, 'info').mockImplementation(() => undefined);
		const shown = jest.spyOn(context, 'sendMessageToUI');
		const run = runPerItem(context, {
			describe: () => 'messages accepted: 1',
			work: async (item, { fail }) => {
				if (item === 0) fail(new Error('No number'));
				if (item === 1) await pause(workMs);
			},
		});
		const words = () => log.mock.calls.map(([message]) => message);
		return { run, execution, words, shown: () => shown.mock.calls.flat() };
	};
	afterEach(() => jest.restoreAllMocks());

	test('is told in the log and in the editor, now and then, with where it stands', async () => {
		const { run, words, shown } = start(350);
		await run;
		const where = 'Item 1 of 3, messages accepted: 1, items failed: 1.';
		expect(words().length).toBeGreaterThanOrEqual(2);
		expect(words().length).toBeLessThanOrEqual(3);
		expect(new Set(words())).toEqual(new Set([`Node (execution 1): ${where}`]));
		expect(new Set(shown())).toEqual(new Set([where]));
		const told = words().length;
		await pause(250);
		expect(words()).toHaveLength(told);
	});

	test('is not told when it is short', async () => {
		const { run, words } = start(0);
		await run;
		await pause(150);
		expect(words()).toEqual([]);
	});

	test('that is stopped is told at once, and in what n8n saves of the execution', async () => {
		const stop = new AbortController();
		const { run, words, execution } = start(400, stop.signal);
		await pause(20);
		stop.abort();
		const where = 'Stopped. Item 1 of 3, messages accepted: 1, items failed: 1.';
		expect(words()).toEqual([`Node (execution 1): ${where}`]);
		expect(execution.resultData.metadata).toEqual({ [stoppedKey]: where });
		await run;
		expect(words()).toHaveLength(1);
	});
});
