import type { IDataObject } from 'n8n-workflow';

import { inCollections } from '../../tools/harness/inCollections';
import {
	mapped,
	useScaledTimes,
	wantedMessages,
	type WantedMessage,
} from '../support/workflow/sending';
import { runAgainst } from '../support/workflow/runAgainst';
import type { RunResult } from '../support/workflow/runWorkflow';
import { useSandbox } from '../support/workflow/useSandbox';

const settings = { onError: 'continueRegularOutput' } as const;
/** The service responds to a request that contains it with a 400. */
const rejectedNumber = '959000000018';

describe('a rejected bulk request', () => {
	const sandbox = useSandbox();
	const run = runAgainst(sandbox, 'SmsBulkSend');
	useScaledTimes();
	const requests = () => sandbox.stats().byPath['/api/rest/send/bulk']?.requests ?? 0;
	const errorsOf = ({ json }: RunResult) =>
		json.flatMap(({ error }) => (typeof error === 'string' ? [error] : []));

	test.each([0, 37, 99])(
		'for one of a hundred numbers, number %i, is sent in parts to the others',
		async (place) => {
			const items = wantedMessages(100);
			items[place].to = rejectedNumber;
			const result = await run(mapped, { items, settings });
			expect(sandbox.messages().length).toBe(99);
			expect(new Set(sandbox.messages().map(({ to }) => to)).size).toBe(99);
			expect(errorsOf(result)).toHaveLength(1);
			expect(result.json[place].error).toMatch(/^Rejected by the service/);
			expect(requests()).toBeLessThanOrEqual(21);
		},
		15_000,
	);

	test('of a hundred wrong messages names each, and the requests behind it are sent', async () => {
		const items = wantedMessages(300).map(({ to, message }, n) => ({
			...{ to, message: n >= 100 && n < 200 ? `Bad ${message}` : message },
		}));
		const match = { path: '/rest/send/bulk', contains: 'Bad' };
		sandbox.addFault({ match, effect: { status: 422, body: { message: 'No.' } } });
		const options = { parallelRequests: 1 };
		const errors = errorsOf(await run({ ...mapped, options }, { items, settings }));
		expect(errors).toHaveLength(100);
		expect(sandbox.messages()).toHaveLength(200);
		expect(requests()).toBeLessThanOrEqual(113);
	}, 30_000);

	test('of one wrong number in twenty sends the 1,900 others once, and names the 100', async () => {
		const items = wantedMessages(2_000).map(({ to, message }, n) => ({
			...{ to, message: n % 20 === 0 ? `Bad ${message}` : message },
		}));
		const match = { path: '/rest/send/bulk', contains: 'Bad' };
		sandbox.addFault({ match, effect: { status: 422, body: { message: 'No.' } } });
		const { json } = await run({ ...mapped, options: {} }, { items, settings });
		const refused = json.flatMap(({ error }, n) => (error === undefined ? [] : [n]));
		expect(refused).toEqual(Array.from({ length: 100 }, (_, n) => n * 20));
		expect(new Set(sandbox.messages().map(({ to }) => to)).size).toBe(1_900);
		expect(sandbox.messages()).toHaveLength(1_900);
	}, 30_000);

	test.each([
		[1, 0],
		[2, 2],
	])(
		'of twenty requests in a row with %i keeps no others from being sent, after %i accepted messages',
		async (recipientsPerRequest, accepted) => {
			const bad = 21 * recipientsPerRequest;
			const items = wantedMessages(accepted + bad + 4).map(({ to, message }, n) => ({
				...{ to, message: n >= accepted && n < accepted + bad ? `Bad ${message}` : message },
			}));
			const match = { path: '/rest/send/bulk', contains: 'Bad' };
			sandbox.addFault({ match, effect: { status: 422, body: { message: 'No.' } } });
			const options = { parallelRequests: 1, recipientsPerRequest };
			await run({ ...mapped, options }, { items, settings });
			expect(sandbox.messages()).toHaveLength(accepted + 4);
		},
		30_000,
	);

	test.each([
		[400, 1_000],
		[422, 1_000],
		[422, 4_000],
	])(
		'with a %i for every message ends after 20 of single ones, and the rest of %i is not sent',
		async (status, count) => {
			const effect = { status, body: { message: 'Sender ID is not registered.' } };
			sandbox.addFault({ match: { path: '/rest/send/bulk' }, effect });
			const options = { parallelRequests: 1 };
			const items = wantedMessages(count);
			const result = await run({ ...mapped, options }, { items, settings });
			const errors = errorsOf(result);
			expect(errors).toHaveLength(count);
			expect(errors[0]).toContain('Sender ID is not registered.');
			expect(errors.at(-1)).toContain('Not sent: the service rejected each of 20 messages');
			expect(result.json[count - 1].details).toMatchObject({
				description: expect.stringContaining('set Recipients per Request to 1') as string,
			});
			expect(requests()).toBeGreaterThanOrEqual(20);
			expect(requests()).toBeLessThanOrEqual(32);
		},
		30_000,
	);

	const paths = () => sandbox.requests().map(({ path }) => path);
	const sendAll = async (wanted: WantedMessage[], options: IDataObject = {}) =>
		await run({ ...mapped, ...inCollections(options) }, { items: wanted, settings });

	test.each(['sendAgain', 'report'])(
		'for the balance is looked up and reported, with %s',
		async (whenOutcomeUnknown) => {
			const effect = { status: 402, body: { message: 'Insufficient balance.' } };
			sandbox.addFault({ match: { path: '/rest/send/bulk' }, effect });
			const { json } = await sendAll(wantedMessages(2), { whenOutcomeUnknown });
			const refused = expect.stringContaining('Rejected by the service: Insufficient balance.');
			expect(json.map(({ error }) => error)).toEqual(Array(2).fill(refused));
			expect(requests()).toBe(1);
			expect(paths()).toContain('/api/rest/messages');
		},
	);

	test.each([402, 403])('for all messages, a %i, keeps others from being sent', async (status) => {
		sandbox.addFault({ match: { path: '/rest/send/bulk' }, effect: { status } });
		const options = { parallelRequests: 1 };
		const { error } = await run({ ...mapped, options }, { items: wantedMessages(300) });
		expect(error?.httpCode).toBe(String(status));
		expect(requests()).toBe(1);
	});

	test('for the rate is looked up and sent again, before anything else', async () => {
		const effect = { status: 429 };
		sandbox.addFault({ match: { path: '/rest/send/bulk' }, effect, count: 1 });
		const options = { parallelRequests: 1, recipientsPerRequest: 2 };
		const { json } = await sendAll(wantedMessages(4), options);
		expect(json.map(({ status }) => status)).toEqual(Array(4).fill('Accepted'));
		expect(sandbox.messages()).toHaveLength(4);
		const send = '/api/rest/send/bulk';
		const [first, second, ...rest] = paths();
		expect([first, second, ...rest.slice(-2)]).toEqual([send, '/api/rest/messages', send, send]);
		expect(requests()).toBe(3);
	});

	test('for the rate ends after four requests', async () => {
		sandbox.addFault({ match: { path: '/rest/send/bulk' }, effect: { status: 429 } });
		const { json } = await sendAll(wantedMessages(2));
		const details = expect.objectContaining({ kind: 'rateLimited' }) as unknown;
		expect(json.map((one) => one.details)).toEqual(Array(2).fill(details));
		expect(requests()).toBe(4);
	});

	test('of a single number names, with On Error set to stop, how to send the others', async () => {
		const items = wantedMessages(4);
		items[1].to = rejectedNumber;
		const options = { recipientsPerRequest: 1, parallelRequests: 1 };
		const { error } = await run({ ...mapped, options }, { items });
		expect(error?.message).toMatch(/^Rejected by the service/);
		expect(error?.description).toContain('Of the messages, 1 was sent (');
		expect(error?.description).toContain(
			'To send the others anyway, set Settings > On Error to Continue.',
		);
		expect(sandbox.messages()).toHaveLength(1);
	});

	test.each([401, 404, 405])(
		'for credential or address, a %i, is reported at once',
		async (status) => {
			sandbox.addFault({ match: { path: '/rest/send/bulk' }, effect: { status } });
			const { json } = await sendAll(wantedMessages(3));
			expect(json.map(({ details }) => details)).toEqual(
				Array(3).fill(expect.objectContaining({ statusCode: status })),
			);
			expect(paths()).toEqual(['/api/rest/send/bulk']);
		},
	);

	test.each([
		[400, 'sendAgain'],
		[402, 'sendAgain'],
		[422, 'sendAgain'],
		[422, 'report'],
	])('of one message, a %i, is reported at once, with %s', async (status, whenOutcomeUnknown) => {
		const effect = { status, body: { message: 'Invalid number.' } };
		sandbox.addFault({ match: { path: '/rest/send/bulk' }, effect });
		const { json } = await sendAll(wantedMessages(1), { whenOutcomeUnknown });
		expect(json[0].error).toContain('Rejected by the service: Invalid number.');
		expect(paths()).toEqual(['/api/rest/send/bulk']);
	});
});
