import { decryptMessage } from '../../sandbox';
import { inCollections } from '../../tools/harness/inCollections';
import { runAgainst } from '../support/workflow/runAgainst';
import { shortenWaits } from '../support/workflow/shortenWaits';
import { useSandbox } from '../support/workflow/useSandbox';
import { answerJson, useStandIn } from '../support/workflow/useStandIn';

const nextYear = new Date().getFullYear() + 1;

describe('SMS Send', () => {
	const sandbox = useSandbox();
	const send = runAgainst(sandbox, 'SmsSend');
	shortenWaits();

	test('sends as if hidden values were not there', async () => {
		const options = { encryptKey: 'my key', scheduledAtTimeZone: '', pricePerPart: 'dear' };
		const { json } = await send({ options });
		expect(json).toHaveLength(1);
		const [{ body }] = sandbox.requests();
		expect(body).not.toHaveProperty('encryptKey');
		const encrypt = '={{ "false" }}';
		await send({ options: { encrypt, encryptKey: 'my key', surface: 'http' } });
		expect(sandbox.requests()[1].query).not.toHaveProperty('encryptKey');
	});

	test('returns what another attempt finds in its memory in the same form', async () => {
		sandbox.addFault({
			...{ match: { path: '/rest/send' }, skip: 1, count: 1 },
			...{ when: 'before', effect: { status: 403 } },
		});
		const { json } = await send(
			{ to: '09779123456, 09779123457', options: { parallelRequests: 1 } },
			{ settings: { retryOnFail: true, waitBetweenTries: 1 } },
		);
		expect(sandbox.requests().map(({ path }) => path)).toHaveLength(3);
		const [first, second] = json.map((record) => Object.keys(record));
		expect(first.slice(0, 3)).toEqual(['to', 'result', 'status']);
		expect(first).toEqual(second);
	});

	test.each([
		['rest', 1, { encryptKey: 'my key' }],
		['http', '1', {}],
	])(
		'sends every option under its own name on the surface %s, flags as %j',
		async (surface, on, more) => {
			const texts = { clientReference: 'a&b=c', deliveryReceiptUrl: 'https://a.example/b?c=1&d=2' };
			const flags = { encrypt: true, test: true, unicode: true };
			const scheduledAt = `${nextYear}-03-01T09:30:00`;
			await send({ options: { ...texts, ...more, ...flags, scheduledAt, surface } });
			const [{ body, query }] = sandbox.requests();
			expect(surface === 'rest' ? body : query).toEqual({
				...(surface === 'http' && { accessToken: sandbox.token }),
				...{ to: '959779123456', message: 'Hello', from: 'MyShop', ...texts, ...more },
				...{ encrypt: on, test: on, unicode: on, scheduledAt: scheduledAt.replace('T', ' ') },
			});
			expect(sandbox.messages()[0]).toMatchObject({ test: true, status: 'Accepted' });
		},
	);

	test('returns the encrypted text and the key of the user, with which it can be read', async () => {
		const { json } = await send({ options: { encrypt: true, encryptKey: 'my key' } });
		expect(json[0]).toMatchObject({ encryptKey: 'my key' });
		expect(await decryptMessage(String(json[0].message), 'my key')).toBe('Hello');
	});

	test.each(['rest', 'http'])(
		'returns the key that the service made on the surface %s',
		async (surface) => {
			const { json } = await send({ options: { encrypt: true, surface } });
			const { message, encryptKey } = json[0];
			expect(await decryptMessage(String(message), String(encryptKey))).toBe('Hello');
		},
	);

	test.each([
		['2-03-01T09:30:00+06:30', undefined, '2-03-01 09:30:00', '2-03-01T03:00'],
		['2-03-01T03:00:00Z', undefined, '2-03-01 09:30:00', '2-03-01T03:00'],
		['2-03-01T09:30:00.000+08:00', 'UTC', '2-03-01 08:00:00', '2-03-01T01:30'],
		['2-03-01 09:00', 'Asia/Singapore', '2-03-01 07:30:00', '2-03-01T01:00'],
	])('schedules %s in the zone %s at %s', async (given, scheduledAtTimeZone, sent, utc) => {
		const inNextYear = (text: string) => text.replace(/^2/, String(nextYear));
		const options = { scheduledAt: inNextYear(given), scheduledAtTimeZone };
		const { json } = await send({ options });
		expect(sandbox.requests()[0].body).toMatchObject({ scheduledAt: inNextYear(sent) });
		expect(json[0]).toMatchObject({
			scheduledAtLocal: `${inNextYear(sent).slice(0, 16)} (Asia/Yangon)`,
			scheduledAtUtc: `${inNextYear(utc)}:00.000Z`,
		});
	});

	test('schedules at the same moment for an account in another zone', async () => {
		const options = {
			scheduledAt: `${nextYear}-07-01T09:00`,
			scheduledAtTimeZone: 'Asia/Singapore',
		};
		const credentials = { serviceTimeZone: ' Europe/London ' };
		const { json } = await send({ options }, { credentials });
		expect(json[0]).toMatchObject({
			scheduledAtUtc: `${nextYear}-07-01T01:00:00.000Z`,
		});
		const { json: listed } = await runAgainst(sandbox, 'SmsHistory')({}, { credentials });
		expect(listed[0].scheduledAtUtc).toBe(`${nextYear}-07-01T01:00:00.000Z`);
	});

	test('sends nothing with a Service Time Zone that does not exist', async () => {
		const credentials = { serviceTimeZone: 'Burma' };
		for (const options of [{}, { scheduledAt: `${nextYear}-07-01T09:00` }]) {
			const { error } = await send({ options }, { credentials });
			expect(error?.message).toContain('Service Time Zone in the credential is not a known');
		}
		expect(sandbox.messages().map(({ to }) => to)).toEqual([]);
	});

	test('leaves every flag out of the query that is not switched on', async () => {
		sandbox.configure({ strictHttpFlags: true });
		const options = { surface: 'http', test: false, encrypt: false, unicode: false };
		const { error } = await send({ options });
		expect(error).toBeUndefined();
	});

	test.each([
		'မင်္ဂလာပါ 👋',
		'line\nbreak\ttab',
		'{"json": "x"} \\ \u2028 <b>&amp;',
		'=1+1',
		'  kept  ',
	])('sends the text %j exactly as it is on both surfaces', async (message) => {
		const parameters = { message: '={{ $json.text }}' };
		await send(parameters, { items: [{ text: message }] });
		await send({ ...parameters, options: { surface: 'http' } }, { items: [{ text: message }] });
		expect(sandbox.messages().map((stored) => stored.message)).toEqual([message, message]);
	});
});

describe('SMS Send to several recipients', () => {
	const sandbox = useSandbox();
	const send = runAgainst(sandbox, 'SmsSend');
	const numbers = ['959779123456', '959951234567', '6591234567'];

	test.each([
		['commas', '09779123456, +959951234567,+6591234567'],
		['new lines', '09779123456\n959951234567\r\n+6591234567\n'],
		['semicolons', '09779123456; 09951234567; +65 9123 4567'],
		['a list', '={{ ["09779123456", "09 951 234 567", "+65-9123-4567"] }}'],
		['a list of the item', '={{ $json.numbers }}'],
		['Burmese digits', '၀၉၇၇၉၁၂၃၄၅၆ ၊ ၀၉၉၅၁၂၃၄၅၆၇, ＋၆၅၉၁၂၃၄၅၆၇'],
	])('accepts %s, and returns one item for each in their order', async (_, to) => {
		const items = [{ numbers: ['09779123456', '+95 (0)9 951 234 567', '0065 9123 4567'] }];
		const { outputs, error } = await send({ to }, { items });
		expect(error).toBeUndefined();
		expect(outputs[0].map((item) => item.json.to)).toEqual(numbers);
		expect(outputs[0].map((item) => item.pairedItem)).toEqual(Array(3).fill({ item: 0 }));
		expect(sandbox.messages().map(({ to }) => to)).toHaveLength(3);
	});

	test('sends a reference of its own for every recipient', async () => {
		const { json } = await send(
			{ to: '09779123456,09951234567', options: { skipDuplicates: false } },
			{ items: [{}, {}] },
		);
		expect(new Set(json.map((record) => record.clientReference)).size).toBe(4);
	});

	test('reports the rejected recipients of an item, and the others as sent', async () => {
		const { json } = await send(
			{ to: '09779123456, 09000000011, 09951234567' },
			{ settings: { onError: 'continueRegularOutput' } },
		);
		expect(json.map((record) => record.status ?? record.error)).toEqual([
			'Accepted',
			'Rejected by the service: Invalid Sender ID',
			'Accepted',
		]);
	});
});

describe('SMS Send with many items', () => {
	const sandbox = useSandbox();
	const send = runAgainst(sandbox, 'SmsSend');
	const items = Array.from({ length: 30 }, (_, index) => ({
		phone: `0977912${String(1000 + index)}`,
		text: `Message ${index}`,
	}));
	const mapped = { to: '={{ $json.phone }}', message: '={{ $json.text }}' };

	test('keeps the order of the items and their pairing, whatever order the responses come in', async () => {
		sandbox.configure({ latencyJitterMs: 20 });
		const { outputs } = await send({ ...mapped, options: { parallelRequests: 10 } }, { items });
		expect(outputs[0].map((item) => item.json.message)).toEqual(items.map((item) => item.text));
		expect(outputs[0].map((item) => item.pairedItem)).toEqual(items.map((_, item) => ({ item })));
	});

	test.each([
		['SmsSend', 1, '1 was'],
		['SmsSend', 11, '11 were'],
		['SmsBulkSend', 2, '2 were'],
	] as const)(
		'says with %s how many messages were sent before a failure that ends the run: %i',
		async (type, skip, words) => {
			const match = { path: type === 'SmsSend' ? '/rest/send' : '/rest/send/bulk' };
			sandbox.addFault({ match, effect: { status: 401 }, skip });
			const items = Array.from({ length: 13 }, (_, n) => ({ to: `097791000${10 + n}` }));
			const options = {
				parallelRequests: 1,
				...(type === 'SmsBulkSend' && { recipientsPerRequest: 1 }),
			};
			const { error } = await runAgainst(sandbox, type)(
				{ to: '={{ $json.to }}', options },
				{ items },
			);
			expect(error?.message).toContain('HTTP 401');
			const named = items.slice(0, Math.min(skip, 10)).map(({ to }) => to.replace('09', '959'));
			const list = `${named.join(', ')}${skip > 10 ? ` and ${skip - 10} more` : ''}`;
			const retry = 'To send the rest, open Executions, choose this one, then Retry > Retry with';
			const told = `Of the messages, ${words} sent (${list}), ${13 - skip} were not sent. ${retry}`;
			expect(error?.description).toContain(told);
			expect(error?.description).toContain('Execute step or Execute workflow would send all again');
			expect(error?.description).not.toContain('On Error');
			expect(sandbox.messages().map(({ to }) => to)).toHaveLength(skip);
		},
	);

	test('does not count what an earlier execution has sent before such a failure', async () => {
		const run = async (count: number) => {
			const named = Array.from({ length: count }, (_, n) => ({ to: `0977910000${n}` }));
			const options = { clientReference: '={{ $json.to }}', skipIfAlreadySent: true };
			return await send(
				{ to: '={{ $json.to }}', ...inCollections({ ...options, parallelRequests: 1 }) },
				{ items: named },
			);
		};
		await run(1);
		sandbox.addFault({ match: { path: '/rest/send' }, effect: { status: 401 }, skip: 1 });
		const { error } = await run(3);
		expect(error?.description).toContain(
			'Of the messages, 1 was sent (959779100001), 1 was not sent.',
		);
		expect(error?.description).not.toContain('Execute step');
		expect(sandbox.messages().map(({ to }) => to)).toHaveLength(2);
	});
});

describe('SMS Send and responses that a lenient reader accepts', () => {
	const service = useStandIn();
	const send = runAgainst(service, 'SmsSend');
	const record = { messageId: 'a-1', to: '959779123456', status: 'Accepted' };

	test.each([200, 201, 202])('reads %i as accepted', async (status) => {
		service.answer = () => answerJson(status, { messages: [record] });
		expect((await send()).json).toEqual([{ ...record, result: 'accepted' }]);
		expect(service.requests).toHaveLength(1);
	});

	test('passes fields and words on that the specification does not know', async () => {
		const odd = { ...record, network: 'Mytel', type: 'sms.flash', status: 'Queued', price: 1.5 };
		service.answer = () => answerJson(201, { messages: [odd], more: true });
		expect((await send({ simplify: false })).json).toEqual([{ ...odd, result: 'accepted' }]);
	});
});
