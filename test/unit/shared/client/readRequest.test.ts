import { Blob } from 'node:buffer';
import { Readable } from 'node:stream';
import { runInNewContext } from 'node:vm';

import fc from 'fast-check';

import { readRequest, type RequestParts } from '../../../../nodes/shared/client/readRequest';

const read = ({ query = '', ...request }: RequestParts & { query?: string }) =>
	readRequest(new URL(`https://sms.example.com/api/rest/send${query}`), request);

const [listed, other] = ['09791234568', '09791234567'];
const inJson = { 'content-type': 'application/json' };
const inForm = { 'Content-Type': 'application/x-www-form-urlencoded; charset=UTF-8' };

describe('the recipients of a request', () => {
	test.each<[RequestParts & { query?: string }, unknown[]]>([
		[{}, []],
		[{ query: `?to=${listed}&TO=${other}` }, [listed, other]],
		[{ query: `?a=1;to=${listed}&to%5B0%5D=${other}` }, [listed, other]],
		[{ qs: { to: [listed, other] } }, [listed, other]],
		[{ qs: { ' to': listed }, body: { 'to[]': other } }, [listed, other]],
		[{ body: { to: 959791234567 } }, [959791234567]],
		[{ body: { to: { number: other, name: 'Ma Su' } } }, [other, 'Ma Su']],
		[{ body: { to: listed, To: other } }, [listed, other]],
		[{ body: { messages: [{ to: listed }, { to: [other] }] } }, [listed, other]],
		[{ body: { messages: [{ to: listed }, { message: 'Hi' }] } }, [listed, null]],
		[{ body: { messages: `[{"to":"${other}"}]` } }, [`[{"to":"${other}"}]`]],
		[{ body: { data: { to: other } } }, [other]],
		[{ body: [{ to: other }] }, [other]],
		[{ body: { message: `to=${other}`, total: 1, tokens: 2 } }, []],
		[{ form: { 'messages[0][to]': other, 'messages[0][message]': 'Hi' } }, [other]],
		[{ form: { 'messages[]': other } }, [other]],
		[{ form: { 'message"; name="to': other } }, [other]],
		[{ body: `{"to":"${other}","to":"${listed}"}`, headers: inJson }, [listed]],
		[{ body: `{"\\u0074o":"${other}"}`, headers: inJson }, [other]],
		[{ body: `{"to":"${listed}","message":"&to=${other}"}`, headers: inJson }, [listed]],
		[{ body: `{"to":"${listed}"}` }, [listed]],
		[{ body: `{"to":"${listed}","message":"&to=${other}"}`, headers: inForm }, ['', `${other}"}`]],
		[{ body: `t%6F=${listed}&x=1;to=${other}`, headers: inForm }, [listed, other]],
		[{ body: `message=Hi&to=${other}` }, [other]],
	])('of %j are %j', (request, recipients) => {
		expect(read(request).recipients).toEqual(recipients);
	});

	test('are found at any depth, in any spelling of the field', () => {
		const names = fc.constantFrom(
			'to',
			'To',
			'TO',
			'to[]',
			'to[0]',
			' to',
			'to\0x',
			'x[to]',
			'_to',
		);
		const place = fc.array(fc.constantFrom('a', 'data', 'messages', '0'), { maxLength: 6 });
		fc.assert(
			fc.property(names, place, (name, path) => {
				const body = path.reduceRight<object>((inner, field) => ({ [field]: inner }), {
					[name]: other,
				});
				expect(read({ body }).recipients).toContain(other);
			}),
		);
	});
});

class Message {
	constructor(readonly to: string) {}
}

const inOtherRealm = (code: string) => runInNewContext(code) as unknown;
const formData = new FormData();
formData.append('to', other);
let deep: unknown = { to: other };
for (let level = 0; level < 20; level += 1) deep = { deep };
const circular: Record<string, unknown> = { to: listed };
circular.again = circular;

const unreadable: Array<[string, unknown]> = [
	['a Buffer', Buffer.from('{}')],
	['a Uint8Array', new Uint8Array([123, 125])],
	['an ArrayBuffer', new ArrayBuffer(2)],
	['a Blob', new Blob(['{}'])],
	['a stream', Readable.from(['{}'])],
	['a web stream', new ReadableStream()],
	['a FormData', formData],
	['a URLSearchParams', new URLSearchParams({ to: other })],
	['a Map', new Map([['to', other]])],
	['a Date', new Date()],
	['an instance of a class', new Message(other)],
	['an instance of a class of another realm', inOtherRealm('new (class { to = 1 })()')],
	['a Date of another realm', inOtherRealm('new Date()')],
	['a String object', new String('{}')],
	['a Promise', Promise.resolve({})],
	['a function', () => ({ to: other })],
	['a symbol', Symbol('to')],
	['a bigint', 959791234567n],
	['toJSON', { to: listed, toJSON: () => ({ to: other }) }],
	['toJSON that is not enumerable', Object.defineProperty({ to: listed }, 'toJSON', { value: 1 })],
	['toJSON of a prototype', Object.create(Object.create(null, { toJSON: { value: 1 } }) as object)],
	['a list with toJSON', Object.assign([{ to: listed }], { toJSON: () => [{ to: other }] })],
	['a list with a name', Object.assign([{ to: listed }], { to: other })],
	['a list with a gap', [, { to: listed }]], // eslint-disable-line no-sparse-arrays
	[
		'a getter',
		{
			get to() {
				return listed;
			},
		},
	],
	['more levels than any request', deep],
	['a circle', circular],
];

describe('a request that cannot be checked', () => {
	const refusal = expect.objectContaining({
		name: 'InputError',
		message: 'Not sent: the credential has Only Send To, and the request cannot be checked',
		hint: expect.stringContaining('JSON fields or form fields'),
	});

	test.each(unreadable)('holds %s', (_, value) => {
		const inside = [{ data: value }, [value], { messages: [{ to: listed, data: value }] }];
		const requests = [value, ...inside].flatMap((part) => [
			{ body: part },
			{ qs: part },
			{ form: part },
			{ headers: part },
		]);
		for (const request of requests) expect(() => read(request)).toThrow(refusal);
	});

	test.each<[string, RequestParts]>([
		['multipart', { formData: { to: listed } }],
		['a query of text', { qs: `to=${other}` }],
		['a query of a list', { qs: [['to', other]] }],
		['a form of text', { form: `to=${other}` }],
		['JSON that is not', { body: `to=${listed}`, headers: inJson }],
		['JSON with a byte order mark', { body: `\uFEFF{"to":"${listed}"}`, headers: inJson }],
		['JSON with a comment', { body: `{/**/"to":"${listed}"}`, headers: inJson }],
		['another type', { body: `{"to":"${listed}"}`, headers: { 'content-type': 'text/plain' } }],
		['no type', { body: `{"to":"${listed}"}`, headers: { 'content-type': '' } }],
		['two types', { body: { to: listed }, headers: { ...inJson, 'Content-type': 'text/xml' } }],
		['multipart by name', { body: {}, headers: { 'content-type': 'multipart/form-data' } }],
		['UTF-16', { body: '{}', headers: { 'content-type': 'application/json; charset=utf-16' } }],
		['compressed text', { body: '{}', headers: { ...inJson, 'CONTENT-ENCODING ': 'deflate' } }],
	])('has %s', (_, request) => {
		expect(() => read(request)).toThrow(refusal);
	});
});

describe('what is sent', () => {
	test('is what was read, of data that changes too', () => {
		let reads = 0;
		const get = (target: object, name: string | symbol) =>
			name === 'to' && (reads += 1) > 1 ? other : (Reflect.get(target, name) as unknown);
		const descriptor = (target: object, name: string | symbol) => {
			const found = Reflect.getOwnPropertyDescriptor(target, name);
			return found && { ...found, value: get(target, name) };
		};
		const body = new Proxy({ to: listed }, { get, getOwnPropertyDescriptor: descriptor });
		const { parts, recipients } = read({ body });
		expect(recipients).toEqual([listed]);
		expect(JSON.stringify(parts.body)).toBe(`{"to":"${listed}"}`);
	});

	test('has one value for a key that was repeated, and the type of its text', () => {
		const body = `{"to":"${other}", "id":12345678901234567890, "to":"${listed}"}`;
		expect(read({ body, headers: { A: 'b' } }).parts).toMatchObject({
			body: `{"to":"${listed}","id":"12345678901234567890"}`,
			headers: { A: 'b', 'Content-Type': 'application/json' },
		});
		expect(read({ body: `to=${listed}` }).parts).toMatchObject({
			body: `to=${listed}`,
			headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
		});
	});

	test('is plain data as it came, of any realm', () => {
		const data = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 }));
		fc.assert(
			fc.property(data, (body) => {
				const { parts } = read({ body, qs: { a: 1 }, form: null, headers: inJson });
				expect(JSON.stringify(parts.body)).toBe(JSON.stringify(body));
				expect(parts).toMatchObject({ qs: { a: 1 }, headers: inJson });
			}),
		);
		const foreign = inOtherRealm(`({ to: ['${listed}'], n: null, __proto__: null })`);
		expect(read({ body: foreign }).parts.body).toEqual({ to: [listed], n: null });
	});
});
