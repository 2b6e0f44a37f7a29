import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import { operations } from '../../../sandbox/control/routes';
import { control, requestCode, send } from '../../support/sandbox/callSandbox';
import { startReceiver } from '../../support/sandbox/startReceiver';
import { useSandbox } from '../../support/workflow/useSandbox';

interface Described {
	paths: Record<
		string,
		Record<
			string,
			{ responses: Record<string, { content: { 'application/json': { schema: object } } }> }
		>
	>;
	components: { schemas: Record<string, object> };
}

describe('the OpenAPI document of the control', () => {
	const sandbox = useSandbox({ methods: 'any' });
	let document: Described;
	let ajv: Ajv2020;
	/** Paths, with their methods, whose real answers were compared. */
	const compared = new Set<string>();

	beforeAll(async () => {
		document = (await control(sandbox, 'GET', '/openapi.json')).data as Described;
		ajv = new Ajv2020({ strict: false, allErrors: true });
		ajv.addSchema(document, 'control');
	});

	const compile = (path: string, method: string, status: number): ValidateFunction => {
		const { schema } =
			document.paths[path]![method.toLowerCase()]!.responses[status]!.content['application/json'];
		return ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"control#/')));
	};

	/** @returns the answer, once it is found to be as described */
	const call = async (method: string, path: string, { body, id = '', query = '' }: Call = {}) => {
		const answer = await control(sandbox, method, `${path.replace('{id}', id)}${query}`, body);
		const validate = compile(path, method, answer.status);
		validate(answer.data);
		expect([method, path, validate.errors ?? []]).toEqual([method, path, []]);
		compared.add(`${method} ${path}`);
		return answer;
	};
	interface Call {
		body?: unknown;
		id?: string;
		query?: string;
	}

	/** One of everything: delivered, waiting, encrypted, refused, reported, spoilt by a fault. */
	const fill = async () => {
		const receiver = await startReceiver();
		await send(sandbox, { deliveryReceiptUrl: receiver.url, clientReference: 'r' });
		sandbox.advance(60_000);
		await sandbox.settle();
		await receiver.close();
		await send(sandbox, { encrypt: 1, scheduledAt: '2099-01-01 00:00:00' });
		await send(sandbox, { to: '12', strange: 1 });
		sandbox.addFault({ effect: 'cut', count: 1 });
		await send(sandbox).catch(() => undefined);
		for (const largeRequestIds of [false, true]) {
			sandbox.configure({ largeRequestIds });
			await requestCode(sandbox);
		}
		sandbox.addMail({ from: 'a@example.com', to: 'b@example.com', subject: 's', text: 't' });
	};

	test('describes the responses of the lists, and the newest of them', async () => {
		await fill();
		for (const path of ['/messages', '/codes', '/mails', '/requests', '/receipts']) {
			expect((await call('GET', path)).data.length).toBeGreaterThan(0);
		}
		const count = await call('GET', '/requests/count', { query: '?path=/rest/*&status=201' });
		expect(count.data).toEqual({ count: 2 });
		for (const path of ['/messages/latest', '/codes/latest', '/mails/latest']) {
			expect((await call('GET', path)).status).toBe(200);
		}
		expect((await call('GET', '/mails', { query: '?to=B%40example.com' })).data).toHaveLength(1);
		expect((await call('GET', '/mails', { query: '?to=c%40example.com' })).data).toHaveLength(0);
	});

	test('describes counts, money, settings and faults', async () => {
		await fill();
		for (const path of ['/mark', '/stats', '/receipts/queue', '/balance']) {
			await call('GET', path);
		}
		await call('POST', '/balance/top-up', { body: { amount: 5 } });
		await call('GET', '/settings');
		const credentials = [{ apiKey: 'k', apiSecret: 's', products: ['otp'], whitelist: ['::1'] }];
		const { data } = await call('PUT', '/settings', { body: { credentials } });
		expect(JSON.stringify(data)).not.toContain('"s"');
		await call('POST', '/faults', { body: { effect: 'cut', probability: 0.5, match: {} } });
		await call('GET', '/faults');
		await call('DELETE', '/faults');
	});

	test('describes what is done with messages, codes, mails and time', async () => {
		await fill();
		const { messageId: id, message } = sandbox.messages().at(-1)!;
		await call('POST', '/messages/{id}/status', { id, body: { status: 'Sent' } });
		await call('POST', '/messages/{id}/receipt', { id });
		await call('POST', '/codes/{id}/expire', { id: String(sandbox.codes()[0]!.requestId) });
		await call('POST', '/seed', { body: { count: 2 } });
		await send(sandbox, { encrypt: 1, encryptKey: 'key' });
		const encrypted = sandbox.messages().at(-1)!.message;
		const body = { message: encrypted, encryptKey: 'key' };
		expect((await call('POST', '/decrypt', { body })).data).toEqual({ message: 'Hello' });
		expect((await call('POST', '/decrypt', { body: { ...body, message } })).status).toBe(400);
		const mail = { from: '', to: 'b@example.com', subject: '', text: '' };
		expect((await call('POST', '/mails', { body: mail })).status).toBe(201);
		await call('POST', '/advance', { body: { ms: 5 } });
		await call('POST', '/settle');
		await call('POST', '/clear');
		await call('POST', '/reset');
	});

	test('describes rejections', async () => {
		expect((await call('GET', '/messages/latest')).status).toBe(404);
		expect((await call('GET', '/messages', { query: '?older=1' })).status).toBe(400);
		expect((await call('POST', '/mails', { body: { to: 'b@example.com' } })).data.message).toBe(
			'from is missing.',
		);
	});

	test('was compared with a real response of every path', () => {
		expect([...compared].sort()).toEqual(
			operations.map(({ method, path }) => `${method} ${path}`).sort(),
		);
	});

	test('finds what is not as described', async () => {
		await fill();
		const validate = compile('/messages', 'GET', 200);
		const { data } = await control(sandbox, 'GET', '/messages');
		expect(validate([{ ...data[0], more: 1 }])).toBe(false);
		expect(validate([{ ...data[0], network: undefined }])).toBe(false);
	});
});
