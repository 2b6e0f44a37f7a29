import type { IDataObject } from 'n8n-workflow';

import { ahead } from '../support/workflow/ahead';
import { runAgainst } from '../support/workflow/runAgainst';
import { runNode } from '../support/workflow/runWorkflow';
import { credentialsOf } from '../support/workflow/credentialsOf';
import { useSandbox } from '../support/workflow/useSandbox';

const odd = { nothing: null, list: [], customer: { name: 'Aye' }, no: 'null', sheet: '#N/A' };
const items = [
	{ to: '09779123456', name: 'Aye', order: 0, isNew: false, note: 'x', row_number: 2, ...odd },
	{ to: '09779123457', name: ' ', order: 1, isNew: true, note: '', row_number: 3, ...odd },
];
const to = '={{ $json.to }}';

describe.each(['SmsSend', 'SmsBulkSend'] as const)('an empty field of %s', (type) => {
	const sandbox = useSandbox();
	const run = runAgainst(sandbox, type);
	const send = async (parameters: IDataObject, rows: IDataObject[] = items) =>
		await run(
			{ to, ...parameters },
			{ items: rows, settings: { onError: 'continueRegularOutput' } },
		);

	test('keeps its item from being sent, and is named as written with its row', async () => {
		const { json } = await send({ message: '=Order {{ $json.order }}, hello {{ $json.name }}' });
		expect(json[0]).toMatchObject({ message: 'Order 0, hello Aye' });
		expect(json[1].error).toBe(
			"Message: {{ $json.name }} is empty (row 3). Nothing was sent for this item. Fill in the field. If it may be empty, write {{ $json.name || '' }}, or add the option Allow Empty Fields.",
		);
		expect(sandbox.messages().map(({ message }) => message)).toEqual(['Order 0, hello Aye']);
	});

	test('is sent as it is with Allow Empty Fields', async () => {
		const options = { allowEmptyFields: true };
		await send({ message: '=Hello {{ $json.name }}{{ $json.missing }}!', options });
		expect(sandbox.messages().map(({ message }) => message)).toEqual(['Hello Aye!', 'Hello  !']);
	});

	test.each([
		['{{ $json.name }}', 'empty', false],
		['{{ $json.note }}', 'empty', false],
		['{{ $json.customer.missing }}', 'empty', true],
		['{{ null }}', 'empty', true],
		['{{ $json.list }}', 'empty', true],
		['{{ NaN }}', 'empty', true],
		['{{ $json.order * "x" }}', 'empty', true],
		['{{ $json.customer }}', 'an object', true],
		['{{ $json.sheet }}', '#N/A', true],
		['{{ $json.sheet || "" }}', '#N/A', true],
		['{{ " #REF! " }}', '#REF!', true],
		['{{ "#DIV/0!" }}', '#DIV/0!', true],
		['{{ `${$json.nothing}` }}', 'null', true],
		['{{ String($json.missing) }}', 'undefined', true],
	])('%s is %s', async (piece, what, isInBoth) => {
		const { json } = await send({ message: `=Hello ${piece}, welcome` });
		const errors = json.map(({ error }) => String(error ?? ''));
		expect(errors[1]).toContain(`Message: ${piece} is ${what} (row 3)`);
		expect(errors[0] === '').toBe(!isInBoth);
	});

	test.each([
		['{{ $json.order }}', '0', '1'],
		['{{ $json.isNew }}', 'false', 'true'],
		["{{ $json.note || '' }}", 'x', ''],
		['{{ $json.note ? `(${$json.note})` : "" }}', '(x)', ''],
		['{{ "a\\nb".split("a")[1] }}', '\nb'],
		['{{ "\\n" }}', '\n'],
		['{{ "#1 N/A" }}', '#1 N/A'],
		['{{ [$json.to] }}', '09779123456', '09779123457'],
		['{{ "}" + $json.to }}', '}09779123456', '}09779123457'],
		['{{ $json.customer.name + " null" }}', 'Aye null'],
		['null, undefined, NaN', 'null, undefined, NaN'],
		['\uE000{{ "\uE000" }}', '\uE000\uE000'],
		['\uE000\uE001\uE002\uE003{{ 1 }}', '\uE000\uE001\uE002\uE0031'],
		['\\{{ $json.to }}', undefined],
	])(
		'%s is no empty field, and the text is as n8n writes it',
		async (piece, first, second = first) => {
			const { json } = await send({ message: `=Hello ${piece}.{{ $json.to }}` });
			const texts = sandbox.messages().map(({ message }) => message);
			if (first === undefined)
				return expect(json[0].error).toContain('{{ }} that was not evaluated');
			expect(texts.sort()).toEqual(
				[`Hello ${first}.${items[0].to}`, `Hello ${second}.${items[1].to}`].sort(),
			);
		},
	);

	test.each([
		"{{ $json.name.replace('U ', '').trim() }}",
		'{{ $json.name.trim().replaceAll("-", "") }}',
		"{{ $json.name.trim().split('').join('') }}",
		"{{ $json.name !== '' ? $json.name : $json.note }}",
	])('is one where an empty text is no result: %s', async (piece) => {
		const { json } = await send({ message: `=Hello ${piece}!` });
		expect(json[1].error).toContain('is empty (row 3)');
	});

	test.each([
		["={{ 'Hello ' + $json.name }}", '"Hello null"', '"Hello undefined"'],
		['=Hi! {{ `Dear ${$json.name}` }}, welcome', '"Dear null"', '"Dear undefined"'],
	])('is never joined to a word of programs: %s', async (message, second, third) => {
		const rows = [{ name: 'Null Smith' }, { name: null }, {}].map((row, n) => ({
			...{ to: `0977912345${n}`, row_number: n + 2, ...row },
		}));
		const { json } = await send({ message }, rows as IDataObject[]);
		expect(json[0].message).toContain('Null Smith');
		expect(json[1].error).toContain(` is ${second} (row 3)`);
		expect(json[1].error).toContain("write ($json.name || '') for it, or add the option");
		expect(json[2].error).toContain(` is ${third} (row 4)`);
		expect(sandbox.messages()).toHaveLength(1);
	});

	test('is not a word of programs in what somebody wrote: an alert is sent', async () => {
		const problem = 'Cannot read properties of undefined (reading null)';
		const { json } = await send({ message: "={{ 'Error: ' + $json.problem }}" }, [
			{ to: '09779123456', problem },
		]);
		expect(json).toMatchObject([{ message: `Error: ${problem}` }]);
	});

	test.each([
		...[
			...['\\N', 'NaT', '<NA>', '#BUSY!', '#GETTING_DATA', '#N/D', '#NV', '#¡VALOR!', 'Err:508'],
			'NaN',
		],
	])('can be written as %s, which is never sent', async (word) => {
		const { json } = await send({ message: '=Dear {{ $json.name }}!' }, [
			{ to: '09779123456', name: word },
			{ to: word, name: 'Aye' },
		]);
		expect(json[0].error).toContain(`Message: {{ $json.name }} is ${word} (item 1`);
		expect(json[1].error).toMatch(/^To: \{\{ \$json\.to \}\} is |^To is not a phone number/);
		expect(sandbox.messages()).toEqual([]);
	});

	test.each(['false', 'None', 'NULL', 'nan', 'Loading...'])(
		'is not %s in a text, as in "Allergies: None", but is in To',
		async (word) => {
			const { json } = await send({ message: '=Allergies: {{ $json.name }}' }, [
				{ to: '09779123456', name: word },
				{ to: word, name: 'Aye' },
			]);
			expect(json[0]).toMatchObject({ message: `Allergies: ${word}` });
			expect(json[1].error).toMatch(/^To is not a phone number/);
		},
	);

	test('is never sent as [hidden], which stands for a link', async () => {
		const { json } = await send({ message: '=Hello {{ "[hidden]" }}' });
		expect(json[0].error).toContain('Message contains [hidden]');
		expect(sandbox.messages()).toEqual([]);
	});

	test('is found in Do Not Send To as well, where it would opt out nobody', async () => {
		const doNotSendTo = '=09770000000, {{ $json.missing }}';
		const { json } = await send({ message: 'Hello', options: { doNotSendTo } });
		expect(json[0].error).toContain('Do Not Send To');
		expect(sandbox.messages()).toEqual([]);
	});

	test.each([
		['from', 'Sender ID'],
		['to', 'To'],
	])('is found in %s as well', async (field, label) => {
		const { json } = await send({ [field]: '=09779123456{{ $json.note }}', message: 'Hello' });
		expect(json[1].error).toContain(`${label}: {{ $json.note }} is empty (row 3)`);
	});

	test('is said of a whole field by its name and row', async () => {
		const rows = items.map((item) => ({ ...item, 'Phone No.': item.note && item.to }));
		const { json } = await send({ to: '={{ $json["Phone No."] }}', message: 'Hello' }, rows);
		expect(json[1].error).toMatch(/^Phone No\. is empty \(row 3\)\. .*leave the row out/);
		const wrong = [{ to: '09779123456', phone: '#N/A' }];
		const { json: sheet } = await send({ message: '={{ $json.phone }}' }, wrong);
		expect(sheet[0].error).toMatch(/^Message: \{\{ \$json\.phone \}\} is #N\/A\. /);
		expect(sandbox.messages()).toHaveLength(1);
	});

	test.each(['=Hello {{ $json.nmae }}', '={{ $json.nmae }}'])(
		'of %s, which no item has, is said once, with the fields there are and without a default',
		async (message) => {
			const { json } = await send({ message });
			expect(json.map(({ error }) => String(error))).toEqual([
				expect.stringMatching(/^Message: no item has the field nmae; they have to, name, order, /),
				expect.stringMatching(/^Message: no item has the field nmae; /),
			]);
			expect(json[0].error).not.toContain('||');
			const { error } = await run({ to, message }, { items });
			expect(error?.message).toMatch(/^Message: no item has the field nmae; they have to, name/);
			expect(sandbox.requests()).toEqual([]);
		},
	);

	test('of a computed expression suggests no default where no item has a value', async () => {
		const rows = items.map(({ to }) => ({ to, '\uFEFFName': 'Aye' }));
		const { json } = await send({ message: '=Hi {{ $json.Name.toUpperCase() }}!' }, rows);
		expect(json[0].error).not.toContain('||');
		expect(json[0].error).toContain('The item has the fields to, \\ufeffName.');
		const plain = await send({ message: '=Hi {{ $json.Name }}!' }, rows);
		expect(plain.json[0].error).toMatch(
			/^Message uses the field Name, but the name of the field is "\\ufeffName"\..*invisible character/,
		);
	});

	test.each([
		['{{ [$json.customer, 1] }}', '[object Object]'],
		['{{ "Dear " + $json.customer }}', '[object Object]'],
		['{{ DateTime.fromISO("soon") }}', 'Invalid DateTime'],
		['{{ "on " + new Date("soon") }}', 'Invalid Date'],
	])('never sends %s, although empty fields are allowed', async (piece, word) => {
		const options = { allowEmptyFields: true };
		const { json } = await send({ message: `=Hello ${piece}`, options });
		expect(json[0].error).toContain(`Message contains ${word}`);
		expect(sandbox.messages()).toEqual([]);
	});
});

describe('an empty field in an option of SMS Send', () => {
	const sandbox = useSandbox();
	const run = runAgainst(sandbox, 'SmsSend');

	test.each([
		['clientReference', '=order-{{ $json.note }}', 'Client Reference', 'order-'],
		['scheduledAt', `=${ahead} 09:00{{ $json.note }}`, 'Scheduled At', `${ahead} 09:00:00`],
	])('%s keeps its item from being sent', async (name, value, label, asEmpty) => {
		const settings = { onError: 'continueRegularOutput' } as const;
		const send = async (more: object) =>
			(
				await run(
					{ to, message: 'Hello', options: { [name]: value, ...more } },
					{ items, settings },
				)
			).json;
		expect((await send({}))[1].error).toContain(`${label}: {{ $json.note }} is empty (row 3)`);
		expect((await send({ allowEmptyFields: true }))[1]).not.toHaveProperty('error');
		const fields = sandbox.requests().map(({ body }) => (body as IDataObject)[name]);
		expect(fields).toContain(asEmpty);
	});
});

const text = { message: 'Hello', from: 'MyShop' };

describe.each([
	{ type: 'OtpRequest', parameters: { brand: 'MyShop', from: 'MyShop' } },
	{ type: 'SmsSendAndWait', parameters: { ...text, waitFor: 'anyFinal', timeLimit: 1 } },
	{ type: 'SmsSendAndWaitForResponse', parameters: { ...text, responseType: 'approval' } },
] as const)('an empty field of $type', ({ type, parameters }) => {
	const sandbox = useSandbox();
	const fail = async (changes: IDataObject) => {
		const settings = { onError: 'continueRegularOutput' } as const;
		const given = { to: '09779123456', ...parameters, ...changes };
		const node = { type, parameters: given, settings };
		const { json } = await runNode(node, {
			credentials: credentialsOf(sandbox),
			items: [{ note: '', to: '09779123456' }],
		});
		expect(sandbox.requests()).toEqual([]);
		return String(json[0].error);
	};

	test('keeps it from being sent', async () => {
		expect(await fail({ to: '={{ $json.note }}{{ $json.to }}' })).toContain(
			'To: {{ $json.note }} is empty',
		);
		expect(await fail({ to: '=09{{ $json.phone }}' })).toContain(
			'To: no item has the field phone; they have note, to',
		);
		if (type === 'OtpRequest') return;
		expect(await fail({ message: '=Hi {{ $json.note }}!' })).toContain(
			'Message: {{ $json.note }} is empty',
		);
	});
});
