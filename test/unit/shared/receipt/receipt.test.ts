import fc from 'fast-check';

import { isSecretRight } from '../../../../nodes/shared/client/secrets';
import {
	parseReceipts,
	untangleQuery,
	ReceiptError,
	type ReceiptRequest,
} from '../../../../nodes/shared/receipt/receipt';

const receipt = { messageId: 'm-1', status: 'Sent' };
const parse = (request: Partial<ReceiptRequest>) =>
	parseReceipts({ query: {}, body: undefined, ...request });
const parseJson = (text: string) =>
	parse({ body: {}, rawBody: Buffer.from(text), contentType: 'application/json' });

describe('parseReceipts', () => {
	test('has every key and no other, null for what is missing, and keeps empty text', () => {
		const more = { clientReference: '', secret: 's', extra: '1', delivered: 'no' };
		expect(parse({ query: { ...receipt, ...more } })).toEqual([
			{
				messageId: 'm-1',
				to: null,
				recipient: null,
				clientReference: '',
				status: 'Sent',
				updatedAt: null,
				finishedAt: null,
				delivered: null,
				final: false,
				updatedAtUtc: null,
				finishedAtUtc: null,
				receiptId: 'm1:Sent',
			},
		]);
	});

	test('prefers the body to the query', () => {
		expect(parse({ query: { ...receipt, to: '1' }, body: { status: 'Delivered' } })).toMatchObject([
			{ messageId: 'm-1', status: 'Delivered', to: '1' },
		]);
	});

	test.each([[[]], [{}], [null], ['']])('reads the query if the body is %j', (body) => {
		expect(parse({ query: receipt, body })).toMatchObject([receipt]);
	});

	test('reads the fields of a multipart body, which n8n keeps under data', () => {
		const contentType = 'multipart/form-data; boundary=x';
		expect(parse({ body: { data: receipt, files: {} }, contentType })).toMatchObject([receipt]);
	});

	test('does not mistake a JSON object with data for multipart', () => {
		expect(() => parseJson(JSON.stringify({ data: receipt }))).toThrow(ReceiptError);
	});

	test.each([
		[JSON.stringify(receipt), undefined],
		[`\uFEFF ${JSON.stringify([receipt])}`, 'application/vnd.api+json'],
		['messageId=m-1&status=Sent', undefined],
	])('reads %p although n8n does not parse its type %p', (text, contentType) => {
		expect(parse({ rawBody: Buffer.from(text), contentType })).toMatchObject([receipt]);
	});

	test.each(['messageId=m-1&status=Sent', JSON.stringify(receipt)])(
		'reads %p as plain text',
		(body) => {
			expect(parse({ body, contentType: 'text/plain' })).toMatchObject([receipt]);
		},
	);

	test.each(['', '\uFEFF ', '\n'])('reads JSON under the header of a form, after %j', (before) => {
		const text = JSON.stringify({ ...receipt, messageId: 'a&b=c+d', to: '+959791234567' });
		const contentType = 'application/x-www-form-urlencoded; charset=UTF-8';
		// As n8n parses it.
		const body = Object.fromEntries(new URLSearchParams(before + text));
		const request = { body, rawBody: Buffer.from(before + text), contentType };
		expect(parse(request)).toMatchObject([{ messageId: 'a&b=c+d', to: '+959791234567' }]);
		expect(parse({ ...request, rawBody: Buffer.from(`[${text}]`) })).toHaveLength(1);
	});

	test.each(['query', 'body'])(
		'reads a + of %s that was not encoded as no part of the number',
		(part) => {
			const fields = Object.fromEntries(
				new URLSearchParams('messageId=m-1&status=Sent&to=+959791234567'),
			);
			const contentType = 'application/x-www-form-urlencoded';
			const rawBody = Buffer.from('messageId=m-1&status=Sent&to=+959791234567');
			const request = part === 'query' ? { query: fields } : { body: fields, rawBody, contentType };
			expect(parse(request)).toMatchObject([
				{ to: '959791234567', receiptId: 'm1:959791234567:Sent' },
			]);
		},
	);

	test('keeps all digits of numbers in JSON and makes them text', () => {
		expect(
			parseJson('{"messageId":98765432109876543210,"status":"Sent","to":959791234567}'),
		).toMatchObject([{ messageId: '98765432109876543210', to: '959791234567' }]);
	});

	test('leaves JSON in another encoding to n8n, which has decoded it', () => {
		const contentType = 'application/json; charset=utf-16le';
		const rawBody = Buffer.from(JSON.stringify(receipt), 'utf16le');
		expect(parse({ body: receipt, rawBody, contentType })).toMatchObject([receipt]);
	});

	test('turns times into UTC, and what is not a time into null', () => {
		const query = { ...receipt, updatedAt: '2026-11-20 10:00:00', finishedAt: 'soon' };
		expect(parse({ query })).toMatchObject([
			{ updatedAt: '2026-11-20 10:00:00', updatedAtUtc: '2026-11-20T03:30:00.000Z' },
		]);
		expect(parse({ query })).toMatchObject([{ finishedAt: 'soon', finishedAtUtc: null }]);
	});

	test('has one receiptId for every repeat, and another for the next status', () => {
		const idOf = (query: object) => parse({ query })[0].receiptId;
		expect(idOf({ ...receipt, updatedAt: '2026-11-20 10:00:05' })).toBe(idOf(receipt));
		expect(idOf({ ...receipt, status: 'Delivered' })).not.toBe(idOf(receipt));
	});

	test('has one receiptId for each recipient, in every spelling of the number', () => {
		const idOf = (to?: unknown) => parse({ body: { ...receipt, to } })[0].receiptId;
		for (const to of ['09791234567', '959791234567', '+959791234567', '+95 (0)9 791-234-567'])
			expect(idOf(to)).toBe('m1:959791234567:Sent');
		expect(parse({ body: { ...receipt, to: '+95 979 123 4567' } })).toMatchObject([
			{ to: '+95 979 123 4567', recipient: '959791234567' },
		]);
		expect(parse({ body: { ...receipt, messageId: 'M-1' } })[0].receiptId).toBe(idOf());
		expect(idOf('+65 9123 4567')).toBe('m1:6591234567:Sent');
		expect(idOf('unknown')).toBe('m1:unknown:Sent');
		expect(new Set(['959791234567', '959791234568', 'a', 'b', undefined].map(idOf)).size).toBe(5);
		for (const to of [undefined, null, '', ' ']) expect(idOf(to)).toBe('m1:Sent');
	});

	test('has one receiptId for all statuses of one meaning, and for an ID with and without dashes', () => {
		const idOf = (messageId: string, status: string) =>
			parse({ query: { messageId, status } })[0].receiptId;
		expect(['Delivered', 'Success', 'DELIVRD'].map((status) => idOf('m-1', status))).toEqual(
			Array(3).fill('m1:delivered'),
		);
		for (const status of ['Failed', 'Undelivered', 'Expired', 'Rejected', 'Error'])
			expect(idOf('M1', status)).toBe('m1:notDelivered');
		const others = ['Sent', 'Pending', 'Accepted', '?', 'Queued', 'Delivered', 'Failed'];
		expect(new Set(others.map((status) => idOf('m-1', status))).size).toBe(7);
	});

	test('has another receiptId where a part contains the separator', () => {
		const parts = [
			['a', '1'],
			['a:1', '2'],
			['a', '1:2'],
			['a', '1%3A2'],
		].map(([messageId, to]) => parse({ query: { messageId, to, status: ':1' } })[0].receiptId);
		expect(new Set(parts).size).toBe(4);
	});

	test.each([
		['DELIVRD', true, true],
		['DELETED', false, true],
		['ENROUTE', null, false],
		['?', null, false],
		['Teleported', null, false],
	])('reads the status %s, and passes it on as it came', (status, delivered, final) =>
		expect(parse({ query: { ...receipt, status } })).toMatchObject([{ status, delivered, final }]),
	);

	test.each([
		...[{ messageId: undefined }, { status: undefined }, { messageId: '' }],
		...[{ messageId: { x: '4' } }, { status: ['Sent', 'Sent'] }, { to: { x: '4' } }],
		...[{ status: true }, { status: 'Sent\u0000' }, { to: '9597\u00009' }, { to: '9597\n9' }],
		...[{ clientReference: 'a\u0000' }, { clientReference: '\ud800' }, { updatedAt: '\u0000' }],
		...[{ messageId: '\ud800' }, { finishedAt: 'x'.repeat(1001) }],
	])('rejects a query with %j', (flaw) => {
		expect(() => parse({ query: { ...receipt, ...flaw } })).toThrow(ReceiptError);
	});

	test('rejects lists that are too long or of something else', () => {
		expect(() => parse({ body: Array(1001).fill(receipt) })).toThrow(/too many/);
		expect(() => parse({ body: ['x', 7] })).toThrow(/not a receipt/);
		expect(() => parse({ body: [[receipt]] })).toThrow(/not a receipt/);
	});

	test('keeps the receipts of a list that has something else, too', () => {
		const told: string[] = [];
		const body = [{ ...receipt, status: '' }, receipt, 'x', { ...receipt, messageId: 'm-2' }];
		const request = { query: {}, body };
		const found = parseReceipts(request, ({ message }) => told.push(message));
		expect(found.map(({ messageId }) => messageId)).toEqual([receipt.messageId, 'm-2']);
		expect(told).toEqual([
			expect.stringContaining('status'),
			expect.stringContaining('not a receipt'),
		]);
	});

	test.each(['A?status=Delivered', 'A?messageId=EVIL', 'A?to=959000000000', '?status=Delivered'])(
		'takes nothing out of the client reference %j',
		(clientReference) => {
			for (const query of [
				{ ...receipt, clientReference },
				{ clientReference, ...receipt },
				{ secret: 's', clientReference, ...receipt },
			])
				expect(untangleQuery({ ...query, clientReference })).toEqual({ ...query, clientReference });
		},
	);

	test('never replaces a field of the service by one that is joined to another', () => {
		const query = { secret: 's?status=Delivered', ...receipt, status: 'Failed' };
		expect(untangleQuery(query)).toMatchObject({ secret: 's', status: 'Failed' });
	});

	test('rejects the same key twice in a body that it reads itself', () => {
		const rawBody = 'messageId=a&messageId=b&status=Sent';
		expect(() => parse({ rawBody })).toThrow(ReceiptError);
	});

	test('is not fooled by prototype keys', () => {
		expect(() => parse({ query: Object.create(receipt) })).toThrow(ReceiptError);
		expect(() => parseJson('{"__proto__":{"messageId":"m-1","status":"Sent"}}')).toThrow(
			ReceiptError,
		);
		const polluted =
			'{"messageId":"m-1","status":"Sent","__proto__":{"x":1},"constructor":{"y":1}}';
		expect(parseJson(polluted)).toMatchObject([receipt]);
		expect(({} as Record<string, unknown>).x).toBeUndefined();
	});

	test('returns whole receipts or a ReceiptError, whatever comes', () => {
		const anything = fc.anything({ withNullPrototype: true, withBigInt: true });
		const near = fc.record(
			{ messageId: anything, status: anything, to: anything, updatedAt: anything },
			{ requiredKeys: [] },
		);
		const part = fc.oneof(anything, near, fc.array(near), fc.json());
		const types = fc.constantFrom(
			undefined,
			'application/json',
			'multipart/form-data',
			'text/plain',
		);
		fc.assert(
			fc.property(part, part, fc.option(fc.json(), { nil: undefined }), types, (...given) => {
				const [query, body, rawBody, contentType] = given;
				try {
					for (const parsed of parseReceipts({ query, body, rawBody, contentType })) {
						expect(parsed.messageId.trim()).not.toBe('');
						expect(parsed.receiptId).not.toBe('');
					}
				} catch (error) {
					expect(error).toBeInstanceOf(ReceiptError);
				}
			}),
			{ numRuns: 500 },
		);
	});

	test('reads any receipt the same way from query, form text and JSON', () => {
		const text = fc.string({ minLength: 1, maxLength: 60 }).filter((value) => value.trim() !== '');
		fc.assert(
			fc.property(
				fc.record({ messageId: text, status: text, to: text.map((to) => to.trim()) }),
				(fields) => {
					const [fromQuery] = parse({ query: fields });
					expect(fromQuery).toMatchObject(fields);
					expect(parseJson(JSON.stringify(fields))).toEqual([fromQuery]);
					expect(parse({ rawBody: new URLSearchParams(fields).toString() })).toEqual([fromQuery]);
				},
			),
		);
	});
});

describe('isSecretRight', () => {
	test('is true for the secret only', () => {
		expect(isSecretRight('s3cret', 's3cret')).toBe(true);
		const others = [
			'',
			's3cre',
			's3cret ',
			'S3CRET',
			undefined,
			null,
			['s3cret'],
			{ s3cret: 1 },
			0,
		];
		for (const given of others) expect(isSecretRight('s3cret', given)).toBe(false);
	});
});
