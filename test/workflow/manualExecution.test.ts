import { runAgainst } from '../support/workflow/runAgainst';
import {
	mapped,
	onlyOne,
	retryOnFail,
	sendNodes,
	shortenDelivery,
} from '../support/workflow/sending';
import { useSandbox } from '../support/workflow/useSandbox';

describe.each(sendNodes)('$type executed by hand', ({ type, path }) => {
	const sandbox = useSandbox();
	const run = runAgainst(sandbox, type);
	shortenDelivery();
	let number = 0;
	const messageOf = (n: number) => ({ to: `0979110${number}${100 + n}`, message: 'Hello' });
	const click = async (count = 1, settings = {}, timeout = 5_000) => {
		const items = Array.from({ length: count }, (_, n) => messageOf(n));
		const parameters = { ...mapped, options: { ...onlyOne(type), timeout } };
		return await run(parameters, { items, settings, mode: 'manual' });
	};
	const paths = () => sandbox.requests().map((request) => request.path.replace('/api', ''));
	beforeEach(() => (number += 1));

	test.each([
		['503', { effect: { status: 503 } }, 'HTTP 503'],
		['a time-out', { effect: 'hang' }, 'ECONNABORTED'],
		['a response without a record', { effect: { status: 200, body: {} } }, 'HTTP 200'],
	] as const)(
		'tells of the first %s after a few looks, with the number',
		async (_, fault, words) => {
			sandbox.addFault({ match: { path }, ...fault });
			const { error } = await click(3, {}, fault.effect === 'hang' ? 500 : undefined);
			const to = messageOf(0).to.replace('0', '95');
			expect(error?.message).toBe(
				`Outcome unknown: the message to ${to} may have been sent (${words}) (item 1 of 3)`,
			);
			expect(error?.description).toContain('It was not in message history within 1 seconds');
			expect(paths().filter((one) => one === path)).toHaveLength(1);
			expect(paths().length).toBeLessThanOrEqual(6);
		},
	);

	test('goes on after a lost response if history shows the message', async () => {
		sandbox.addFault({ match: { path }, when: 'after', effect: 'cut', count: 1 });
		expect((await click(3)).json).toHaveLength(3);
		expect(sandbox.messages()).toHaveLength(3);
	});

	test('sends a message at the next click that the service rejected', async () => {
		sandbox.addFault({ match: { path }, effect: { status: 402 }, count: 1 });
		expect((await click()).error?.message).toContain('Payment Required');
		expect((await click()).json).toHaveLength(1);
	});

	test('sends the others if the service rejects the first', async () => {
		sandbox.addFault({ match: { path }, effect: { status: 400 }, count: 1 });
		expect((await click(3, { onError: 'continueRegularOutput' })).json).toHaveLength(3);
		expect(sandbox.messages()).toHaveLength(2);
	});

	test('looks messages up for longer once the service has accepted one, and with Retry On Fail', async () => {
		sandbox.addFault({
			match: { path },
			when: 'after',
			effect: { status: 500 },
			skip: 1,
			count: 1,
		});
		expect((await click(3)).json).toHaveLength(3);
		number += 1;
		sandbox.addFault({ match: { path }, when: 'after', effect: { status: 500 }, count: 1 });
		expect((await click(3, retryOnFail)).json).toHaveLength(3);
		expect(sandbox.messages()).toHaveLength(6);
	});

	test.each([
		[429, 'Too many requests'],
		[503, 'Outcome unknown: the message to 95'],
	])('sends none of the others after a %d, and says so', async (status, words) => {
		sandbox.addFault({ match: { path }, effect: { status } });
		const { json } = await click(3, { onError: 'continueRegularOutput' });
		expect(json[0].error).toContain(words);
		expect(json.slice(1).map(({ error }) => error)).toEqual(
			Array(2).fill(
				expect.stringContaining('Not sent: the service did not accept the last request'),
			),
		);
	});
});

describe.each(['SmsBalance', 'SmsHistory', 'OtpRequest'] as const)(
	'%s executed by hand',
	(type) => {
		const sandbox = useSandbox();

		test('tells of a time-out at once', async () => {
			sandbox.addFault({ effect: 'hang' });
			const run = runAgainst(sandbox, type);
			const { error } = await run({ options: { timeout: 200 } }, { mode: 'manual' });
			expect(error?.message).toContain('The service did not respond in time');
			expect(sandbox.requests()).toHaveLength(1);
		});
	},
);
