import { runAgainst } from '../support/workflow/runAgainst';
import { shortenWaits } from '../support/workflow/shortenWaits';
import { useSandbox } from '../support/workflow/useSandbox';
import { answerText, useStandIn } from '../support/workflow/useStandIn';

describe('SMS Balance', () => {
	const sandbox = useSandbox({ balance: 1500.75, currency: 'USD' });
	const read = runAgainst(sandbox, 'SmsBalance');
	shortenWaits();

	test('returns balance and currency', async () => {
		expect((await read()).outputs).toEqual([
			[{ json: { balance: 1500.75, currency: 'USD' }, pairedItem: { item: 0 } }],
		]);
	});

	test('reads once for all items', async () => {
		const { outputs, hints } = await read({}, { items: [{}, {}, {}] });
		expect(hints.join()).toContain('what follows runs once');
		expect((await read()).hints).toEqual([]);
		expect(outputs[0].map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }]);
		expect(sandbox.requests().map(({ path }) => path)).toHaveLength(2);
	});

	test('retries if the response is not valid', async () => {
		sandbox.addFault({ effect: 'brokenJson', when: 'after', count: 1 });
		sandbox.addFault({ effect: 'cut', count: 1 });
		sandbox.addFault({ effect: { status: 502, body: '<html>' }, count: 1 });
		expect((await read()).json).toHaveLength(1);
		expect(sandbox.requests().map(({ path }) => path)).toHaveLength(4);
	});
});

describe('SMS Balance and responses that a lenient reader accepts', () => {
	const service = useStandIn();
	const read = runAgainst(service, 'SmsBalance');
	shortenWaits();

	test.each([200, 201])('accepts %i', async (status) => {
		service.answer = () => answerText(status, '{"balance":0,"currency":"MMK"}');
		expect((await read()).json).toEqual([{ balance: 0, currency: 'MMK' }]);
	});

	test('keeps digits that a number cannot hold, and reads a byte order mark over', async () => {
		service.answer = () =>
			answerText(200, '\uFEFF{"balance":12345678901234567890,"currency":"MMK"}');
		const { json } = await read();
		expect(json).toEqual([{ balance: '12345678901234567890', currency: 'MMK' }]);
	});

	test('says that a website responded', async () => {
		service.answer = () => answerText(200, '\n<!DOCTYPE html><title>Welcome</title>');
		expect((await read()).error?.message).toBe('A website responded, not the service (HTTP 200)');
	});

	test.each(['{}', '[]', '"1500"', '', 'null', '{"balance":'])(
		'says that %j inside a 2xx cannot be read',
		async (text) => {
			service.answer = () => answerText(200, text);
			expect((await read()).error?.message).toContain('could not be read (HTTP 200)');
		},
	);
});
