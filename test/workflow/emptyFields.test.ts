import { runAgainst } from '../support/workflow/runAgainst';
import { useSandbox } from '../support/workflow/useSandbox';

const odd = { nothing: null, surname: 'null', customer: { name: 'Aye', last: 'null' } };
const items = [
	{ to: '09779123456', name: 'Aye', order: 0, ...odd },
	{ to: '09779123457', name: ' ', order: 1, ...odd },
];
const message = '=Hello {{ $json.name }}, your order {{ $json.order }}';

describe.each(['SmsSend', 'SmsBulkSend'] as const)('Reject Empty Fields of %s', (type) => {
	const sandbox = useSandbox();
	const run = runAgainst(sandbox, type);
	const to = '={{ $json.to }}';
	const send = async (parameters: object, refuseEmptyFields: unknown = true) =>
		await run(
			{ to, message, ...parameters, safeguards: { refuseEmptyFields } as never },
			{ items, settings: { onError: 'continueRegularOutput' } },
		);

	test('rejects an item with an empty field, and names it as it is written', async () => {
		const { json } = await send({});
		expect(json[0]).toMatchObject({ message: 'Hello Aye, your order 0' });
		expect(json[1].error).toContain(
			'Message has an empty expression: {{ $json.name }} (item 2 of ',
		);
		expect(sandbox.messages().map(({ to }) => to)).toHaveLength(1);
	});

	test.each([
		['{{ $json.missing }}', true],
		['{{ $json.missing.deeper }}', true],
		['{{ null }}', true],
		['{{ [] }}', true],
		['{{ "" }}', true],
		['{{ 0 }}', false],
		['{{ false }}', false],
		['{{ "}" + $json.to }}', false],
		// Words of a program, alone or joined.
		['{{ NaN }}', true],
		['{{ "Dear " + $json.nothing?.name }}', true],
		['{{ "Dear " + $json.nothing }}', true],
		['{{ "Total " + $json.customer.age * 2 }}', true],
		['{{ `Dear ${$json.customer.name2}` }}', true],
		['{{ $json.customer }}', true],
		['{{ [$json.customer] }}', true],
		['{{ new Date(0) }}', true],
		['{{ "#N/A" }}', true],
		['{{ " #REF! " }}', true],
		['{{ "#DIV/0!" }}', true],
		['{{ "#1 N/A" }}', false],
		['{{ "#N/A 1" }}', false],
		['{{ [$json.to] }}', false],
		['{{ "Dear " + $json.surname }}', false],
		['{{ "null and NaN" + $json.to }}', false],
		["{{ 'null' + $json.to }}", false],
		['{{ `null ${$json.to}` }}', false],
		['{{ $json.customer.last + " of " + $json.to }}', false],
		["{{ $json['customer']['last'] + $('Source').item.json.to }}", false],
		['{{ $json.surname.toUpperCase() + " null" }}', false],
		['null, undefined, NaN', false],
	])('%s counts as empty: %p', async (piece, isEmpty) => {
		const { json } = await send({ message: `=Hello ${piece}` });
		expect(json.map(({ error }) => error !== undefined)).toEqual([isEmpty, isEmpty]);
	});

	test.each([
		['from', 'Sender ID'],
		['to', 'To'],
	])('reads %s as well', async (field, label) => {
		const parameters = { [field]: '=09779123456{{ $json.missing }}', message: 'Hello' };
		const { json } = await send(parameters);
		expect(json[0].error).toContain(`${label} has an empty expression: {{ $json.missing }}`);
	});

	test.each([
		['{{ $json.customer }}', '[object Object]'],
		['{{ [$json.customer, 1] }}', '[object Object]'],
		['{{ "Dear " + $json.customer }}', '[object Object]'],
		['{{ DateTime.fromISO("soon") }}', 'Invalid DateTime'],
		['{{ "on " + new Date("soon") }}', 'Invalid Date'],
		['{{ DateTime.fromISO("soon").toFormat("d MMM") }}', 'Invalid DateTime'],
	])('never sends %s, although it is off', async (piece, word) => {
		for (const refuseEmptyFields of [false, true]) {
			const { json } = await send({ message: `=Hello ${piece}` }, refuseEmptyFields);
			expect(json[0].error).toMatch(/^Message (contains|has an empty expression)/);
			if (!refuseEmptyFields) expect(json[0].error).toContain(word);
		}
		expect(sandbox.messages()).toEqual([]);
	});

	test('counts and shows empty fields in a dry run, although it is off', async () => {
		const { json, hints } = await run(
			{ to, message: '={{ "Dear " + $json.missing2 }}', safeguards: { dryRun: true } },
			{ items: items.map((item, n) => ({ ...item, ...(n === 0 && { missing2: 'Aye' }) })) },
		);
		expect(json.map(({ emptyField }) => emptyField)).toEqual([
			undefined,
			'{{ "Dear " + $json.missing2 }}',
		]);
		expect(JSON.stringify(hints)).toContain('With an empty field: 1 (1 would be sent');
	});
});
