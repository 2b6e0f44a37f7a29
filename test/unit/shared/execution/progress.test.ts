import {
	progressTiming,
	stoppedKey,
	tellProgress,
} from '../../../../nodes/shared/execution/progress';
import { newExecution, openContext } from '../../../support/workflow/openContext';

const pause = async (ms: number) => await new Promise<void>((resolve) => setTimeout(resolve, ms));

describe('a long run', () => {
	const service = { baseUrl: 'http://127.0.0.1:1/api', apiKey: 'key', apiSecret: 'secret' };
	const where = 'Messages in all: 3, messages accepted: 1, items with invalid input: 1.';
	const { ...real } = progressTiming;
	beforeEach(() => Object.assign(progressTiming, { everyMs: 100, napMs: 10 }));
	afterAll(() => Object.assign(progressTiming, real));

	/** The work takes as long as the test wants; what n8n was told is listed. */
	const start = (work: (words: () => string[]) => Promise<void>, signal?: AbortSignal) => {
		const execution = newExecution();
		const context = openContext(service, { mode: 'manual', execution, signal });
		const log = jest.spyOn(context.logger, 'info').mockImplementation(() => undefined);
		const shown = jest.spyOn(context, 'sendMessageToUI');
		const end = tellProgress(context, () => where);
		const words = () => log.mock.calls.map(([message]) => message);
		const run = work(words).then(end);
		return { run, execution, words, shown: () => shown.mock.calls.flat() };
	};
	afterEach(() => jest.restoreAllMocks());

	test('is told in the log and in the editor, now and then, with where it stands', async () => {
		const begun = Date.now();
		const { run, words, shown } = start(async (told) => {
			while (told().length < 3) await pause(10);
		});
		await run;
		expect(Date.now() - begun).toBeGreaterThanOrEqual(3 * progressTiming.everyMs);
		expect(new Set(words())).toEqual(new Set([`Node (execution 1): ${where}`]));
		expect(new Set(shown())).toEqual(new Set([where]));
		const told = words().length;
		await pause(250);
		expect(words()).toHaveLength(told);
	});

	test('is not told when it is short', async () => {
		const { run, words } = start(async () => undefined);
		await run;
		await pause(150);
		expect(words()).toEqual([]);
	});

	test('that is stopped is told at once, and in what n8n saves of the execution', async () => {
		const stop = new AbortController();
		progressTiming.everyMs = 60_000;
		const { run, words, execution } = start(async () => await pause(100), stop.signal);
		stop.abort();
		progressTiming.everyMs = 10;
		const stopped = `Stopped. ${where}`;
		expect(words()).toEqual([`Node (execution 1): ${stopped}`]);
		expect(execution.resultData.metadata).toEqual({ [stoppedKey]: stopped });
		await run;
		expect(words()).toHaveLength(1);
	});
});
