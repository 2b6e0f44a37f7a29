import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSandbox } from '../../../sandbox';
import { control, list, send, sendBulk } from '../../support/sandbox/callSandbox';
import { useSandbox } from '../../support/workflow/useSandbox';

const hour = 3_600_000;

/** Messages go by their arrival; their time is only a filter. */
describe('after the clock was moved back', () => {
	const sandbox = useSandbox({ methods: 'any' });
	beforeEach(async () => {
		await send(sandbox, { message: 'first' });
		sandbox.advance(-hour);
		await send(sandbox, { message: 'second' });
	});

	const texts = (messages: Array<{ message: string }>) => messages.map(({ message }) => message);

	test('the latest message is the last one sent', async () => {
		expect((await control(sandbox, 'GET', '/messages/latest')).data.message).toBe('second');
	});

	test('lists, history and inbox have it last, or first', async () => {
		expect(texts(sandbox.messages())).toEqual(['first', 'second']);
		expect(texts(sandbox.messages({ newest: 1 }))).toEqual(['second']);
		sandbox.advance(2 * hour);
		expect(texts((await list(sandbox)).data.messages)).toEqual(['second', 'first']);
		const page = await (await fetch(`${sandbox.url}/_sandbox`)).text();
		expect(page.match(/>(first|second)</g)).toEqual(['>second<', '>first<']);
	});

	test('the oldest are dropped first', async () => {
		sandbox.configure({ maxMessagesKept: 100 });
		const to = Array.from({ length: 250 }, (_, index) => `0977${1_000_000 + index}`);
		await sendBulk(sandbox, [{ to, message: 'third', from: 'Shop' }]);
		expect(new Set(texts(sandbox.messages()))).toEqual(new Set(['third']));
		expect(sandbox.messages().at(-1)!.to).toBe('959771000249');
	});

	test('a restart goes on after the newest', async () => {
		const dataFolder = mkdtempSync(join(tmpdir(), 'sandbox-order-'));
		const one = await startSandbox({ pace: 0, dataFolder });
		await send(one, { message: 'first' });
		one.advance(-hour);
		await one.close();
		const other = await startSandbox({ pace: 0, dataFolder });
		await send(other, { message: 'second' });
		expect(texts(other.messages())).toEqual(['first', 'second']);
		await other.close();
		rmSync(dataFolder, { recursive: true });
	});
});
