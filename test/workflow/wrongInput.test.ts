import type { IDataObject } from 'n8n-workflow';

import { inCollections } from '../../tools/harness/inCollections';
import { runAgainst, type NodeName } from '../support/workflow/runAgainst';
import { useSandbox } from '../support/workflow/useSandbox';

const lastYear = new Date().getFullYear() - 1;
const half = '\ud83d';
/** A required parameter that is empty as it stands is n8n's to refuse; this one is empty for the item. */
const nothing = '={{ "" }}';
/** Node, what is changed, the field that the details name, and what the sentence must say. */
type Case = [NodeName, IDataObject, string, RegExp];
const options = inCollections;
const filters = (changes: IDataObject) => ({ filters: changes });

const ofRecipient: Case[] = (['SmsSend', 'SmsBulkSend', 'OtpRequest'] as const).flatMap((node) => [
	[node, { to: nothing }, 'to', /^To: \{\{ "" \}\} is empty/],
	[
		node,
		{ to: '={{ $json.missing }}' },
		'to',
		/^To: no item has the field missing; they have no fields\./,
	],
	[node, { to: '={{ { a: 1 } }}' }, 'to', /not a phone number: an object/],
	[node, { to: 'my phone' }, 'to', /is not a phone number: "my phone"/],
	[node, { to: '0912' }, 'to', /too short for a phone number: "0912"/],
	[node, { to: '9607771234' }, 'to', /could be two numbers/],
	[node, { to: '0979\u202e7654321\u202c' }, 'to', /not the number that it shows/],
	[node, { to: '\u202d09791234567\u202c' }, 'to', /not the number that it shows/],
	[node, { from: nothing }, 'from', /^Sender ID: \{\{ "" \}\} is empty/],
	[node, { from: '={{ ["Shop"] }}' }, 'from', /Sender ID must be text, but is a list/],
	[node, { from: 'My\nShop' }, 'from', /line break/],
]);

const ofMessage: Case[] = (['SmsSend', 'SmsBulkSend'] as const).flatMap((node) => [
	[node, { message: nothing }, 'message', /^Message: \{\{ "" \}\} is empty/],
	[node, { message: ' \n\u200b' }, 'message', /^Message is empty/],
	[node, { message: '={{ { a: 1 } }}' }, 'message', /Message must be text, but is an object/],
	[node, { message: `Hello ${half}` }, 'message', /half a character/],
	[node, { message: 'a'.repeat(161), ...options({ maxParts: 1 }) }, 'message', /as 2 parts/],
	[node, options({ parallelRequests: 0 }), 'parallelRequests', /must be from 1 to 100/],
	[node, { to: ' , ; \n' }, 'to', /^To is empty/],
]);

const ofSend: Case[] = [
	['SmsSend', options({ clientReference: 'r'.repeat(51) }), 'clientReference', /has 51 characters/],
	['SmsSend', options({ scheduledAt: `${lastYear}-01-01T10:00:00` }), 'scheduledAt', /in the past/],
	[
		'SmsSend',
		options({ scheduledAt: '2130-01-01', scheduledAtTimeZone: 'Burma' }),
		'scheduledAtTimeZone',
		/not a known time zone: "Burma"/,
	],
	['SmsSend', options({ deliveryReceiptUrl: '/hook' }), 'deliveryReceiptUrl', /not a URL/],
	['SmsBulkSend', options({ recipientsPerRequest: 0 }), 'recipientsPerRequest', /from 1 to 1000/],
	['SmsBulkSend', options({ recipientsPerRequest: 1001 }), 'recipientsPerRequest', /to 1000/],
	['SmsBulkSend', options({ pauseBetweenRequests: -1 }), 'pauseBetweenRequests', /from 0 to/],
];

const ofOtp: Case[] = [
	['OtpRequest', { to: 'thida@' }, 'to', /not an email address: "thida@"/],
	['OtpRequest', { to: 'thida@münchen.de' }, 'to', /not an email .* of Latin letters and digits/],
	['OtpRequest', { to: '09779123456, 09951234567' }, 'to', /several numbers/],
	['OtpRequest', { brand: 'x'.repeat(41) }, 'brand', /^Brand has 41 characters \(max\. 40\)/],
	['OtpRequest', { brand: nothing }, 'brand', /^Brand: \{\{ "" \}\} is empty/],
	['OtpRequest', options({ ttl: 59 }), 'ttl', /must be from 60 to 3600, but is 59/],
	['OtpRequest', options({ ttl: 3601 }), 'ttl', /but is 3601/],
	['OtpRequest', options({ pinLength: 3 }), 'pinLength', /must be from 4 to 8, but is 3/],
	['OtpRequest', options({ pinLength: 9 }), 'pinLength', /but is 9/],
	[
		'OtpRequest',
		options({ maxInvalidAttempts: 0 }),
		'maxInvalidAttempts',
		/from 1 to 10, but is 0/,
	],
	['OtpRequest', options({ maxInvalidAttempts: 11 }), 'maxInvalidAttempts', /but is 11/],
	['OtpRequest', options({ template: 'Your code' }), 'template', /does not contain \{code\}/],
	['OtpVerify', { requestId: nothing }, 'requestId', /^Request ID: \{\{ "" \}\} is empty/],
	['OtpVerify', { requestId: '={{ 12345678901234567890 }}' }, 'requestId', /lost digits/],
	['OtpVerify', { requestId: '1'.repeat(101) }, 'requestId', /^Request ID has 101 characters/],
];

const ofReading: Case[] = [
	['SmsHistory', { returnAll: false, limit: 0 }, 'limit', /must be 1 or more, but is 0/],
	['SmsHistory', { returnAll: false, limit: 1.5 }, 'limit', /must be a whole number/],
	['SmsHistory', filters({ to: '+6591234567' }), 'to', /not a number that starts with 95/],
	[
		'SmsHistory',
		filters({ filterByCreatedDateFrom: 'May' }),
		'filterByCreatedDateFrom',
		/not a valid date: "May"/,
	],
	[
		'SmsHistory',
		filters({ filterByCreatedDateFrom: '2026-02-02', filterByCreatedDateTo: '2026-02-01' }),
		'filterByCreatedDateFrom',
		/is later than/,
	],
	['SmsHistory', filters({ message: half }), 'message', /half a character/],
];

const neverFilledIn = 'Hi {{ $json.name }}';
const ofExpressions: Case[] = [
	...(['SmsSend', 'SmsBulkSend'] as const).flatMap((node): Case[] => [
		[node, { message: neverFilledIn }, 'message', /^Message has an expression in/],
		[node, { to: '09791234567, {{ $json.phone }}' }, 'to', /^To has an expression/],
		[node, { to: '={{ ["09791234567", "{" + "{ phone }" + "}"] }}' }, 'to', /^To has an/],
		[node, { from: '{{ $json.shop }}' }, 'from', /^Sender ID has an expression/],
	]),
	['SmsSend', { message: '={{ "Hi {" + "{name}" + "}" }}' }, 'message', /^Message has an/],
	[
		'SmsSend',
		options({ clientReference: 'order-{{ 1 }}' }),
		'clientReference',
		/^Client Reference/,
	],
	[
		'SmsSend',
		options({ deliveryReceiptUrl: 'https://example.com/{{ $json.path }}' }),
		'deliveryReceiptUrl',
		/^Delivery Receipt URL has an expression/,
	],
	['OtpRequest', { to: '{{ $json.phone }}' }, 'to', /^To has an expression/],
	['OtpRequest', { to: '{{ $json["me@home"] }}' }, 'to', /^To has an expression/],
	['OtpRequest', { brand: '{{\n$json.shop }}' }, 'brand', /^Brand has an expression/],
	['OtpRequest', { from: '{{ $json.shop }}' }, 'from', /^Sender ID has an expression/],
	['OtpRequest', options({ template: 'Code {{code}}' }), 'template', /contains \{\{code\}\}/],
	['OtpRequest', options({ template: '{code} for {{ Brand }}' }), 'template', /\{\{ Brand \}\}/],
	['OtpRequest', options({ template: '{code} {{ $json.a }}' }), 'template', /has an expression/],
	['OtpVerify', { requestId: '{{ $json.requestId }}' }, 'requestId', /has an expression/],
	['SmsHistory', filters({ to: '{{ $json.phone }}' }), 'to', /^To has an expression/],
];

describe('input that is wrong', () => {
	const sandbox = useSandbox();
	const cases = [...ofExpressions, ...ofRecipient, ...ofMessage, ...ofSend, ...ofOtp, ...ofReading];

	test.each(cases)(
		'costs nothing and is named: %s %j',
		async (node, parameters, field, sentence) => {
			const run = runAgainst(sandbox, node);
			const { outputs } = await run(parameters, { settings: { onError: 'continueRegularOutput' } });
			const [item] = outputs.flat();
			const { error, details, ...about } = item.json;
			// Who it is for stands in front, as far as anybody can tell.
			const isOfCheck = node === 'OtpVerify' && about.reason === 'couldNotCheck';
			const keys = ['to', 'name', 'result', ...(isOfCheck ? ['verified', 'reason'] : [])];
			expect(keys).toEqual(expect.arrayContaining(Object.keys(about)));
			expect(error).toMatch(sentence);
			expect(error).toMatch(/\. \S/);
			expect(details).toMatchObject({ kind: 'input', field, itemIndex: 0 });
			expect(sandbox.requests().map(({ path }) => path)).toEqual([]);
		},
	);
});

describe('an expression that was never one', () => {
	const sandbox = useSandbox();

	test.each(ofExpressions)('is told apart with what to do: %s %j', async (node, parameters) => {
		const { error } = await runAgainst(sandbox, node)(parameters);
		expect(error?.description).toMatch(/[Ss]witch the field to Expression/);
	});

	test.each(['Look: {{ and nothing more', 'a }} b {{ c', '{name}, {{', 'CSS {a} {b}', '{ { x } }'])(
		'braces that are not an expression are sent: %s',
		async (message) => {
			const { json } = await runAgainst(sandbox, 'SmsSend')({ message });
			expect(json).toMatchObject([{ message }]);
		},
	);
});

describe('a code that was typed', () => {
	const sandbox = useSandbox();
	const verify = runAgainst(sandbox, 'OtpVerify');

	test('is in no sentence about it', async () => {
		const items = [{ code: `0427${'9'.repeat(200)}` }];
		const { json } = await verify({ code: '={{ $json.code }}' }, { items });
		expect(json).toMatchObject([{ reason: 'notACode' }]);
		expect(JSON.stringify(json)).not.toContain('0427999');
	});
});
