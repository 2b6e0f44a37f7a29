import { readRecipients, type RecipientValues } from '../../../../nodes/shared/sending/recipients';
import { findUnknownField } from '../../../../nodes/shared/sending/expressions';

const three = '09791234567, 09791234568; +6591234567';
const read = (value: unknown, values: Partial<RecipientValues>) =>
	readRecipients(value, { allowedCountryCodes: undefined, ...values });
const refusal = (value: unknown, values: Partial<RecipientValues>) => () => read(value, values);

describe('the recipients of an item', () => {
	test.each([{}, { allowedCountryCodes: ['95', '65'] }])('are all of them with %j', (values) => {
		expect(read(three, values)).toEqual(['959791234567', '959791234568', '+6591234567']);
	});

	test.each([
		[{ allowedCountryCodes: ['95'] }, 'allowedCountryCodes'],
		[{ allowedCountryCodes: [] }, 'allowedCountryCodes'],
	])('are rejected with %j, naming %s', (values, field) => {
		expect(refusal(three, values)).toThrow(expect.objectContaining({ field }));
	});

	test('may lack the + where the country codes name them, and nowhere else', () => {
		expect(read('6591234567', { allowedCountryCodes: ['95', '65'] })).toEqual(['+6591234567']);
		for (const allowedCountryCodes of [undefined, ['95']]) {
			expect(refusal('6591234567', { allowedCountryCodes })).toThrow('number in Myanmar');
		}
	});
});

describe('a field that no item has', () => {
	const items = [{ json: { phone: '0979' } }, { json: { name: 'Thida' } }];
	const of = (message: string) => findUnknownField({ message }, items)?.message;

	test.each([
		'={{ $json.Naem }}',
		'=Hi {{$json["Naem"]}}',
		'=Hi {{ $json.Naem.trim() }}',
		'={{ "Dear " + $json.Naem }}',
	])('is named for %s', (message) => {
		expect(of(message)).toBe('Message uses the field Naem, which no item has');
	});

	test.each([
		'Hello $json.Naem',
		'=Hello $json.Naem',
		'={{ $json.name }}',
		'={{ $json.phone.slice(1) }}',
		'={{ $json.Naem || "customer" }}',
		'={{ $json.Naem ?? "customer" }}',
		'={{ $json.Naem ? "a" : "b" }}',
		'={{ $json.Naem?.trim() }}',
		'={{ $json.Naem && "VIP" }}',
		'={{ $json.Naem === 1 }}',
		'={{ $json.Naem.ifEmpty("customer") }}',
		'={{ $if($json.Naem, "a", "b") }}',
		'={{ [$json.name, $json.Naem].filter(Boolean).join(" ") }}',
		'={{ $json.keys() }}',
		'={{ $("Other").item.json.Naem }}',
	])('is not reported for %s, which expects that or has it', (message) => {
		expect(of(message)).toBeUndefined();
	});

	test.each(['\uFEFFName', 'Name ', 'Na\u200Bme', '\u00a0Name'])(
		'is told apart from %j, which looks like it, with what to do',
		(known) => {
			const error = findUnknownField({ message: '={{ $json.Name }}' }, [
				{ json: { [known]: 'Aye' } },
			]);
			expect(error?.message).toContain(
				'Message uses the field Name, but the name of the field is "',
			);
			expect(error?.hint).toContain('Drag the field from the input');
			expect(error?.hint).toContain('Exclude Byte Order Mark (BOM)');
		},
	);

	test('names a BOM, and never suggests a fallback for a field that no item has', () => {
		const bom = findUnknownField({ message: '={{ $json.Name }}' }, [
			{ json: { '\uFEFFName': 'Aye' } },
		]);
		expect(bom?.message).toContain('"\\ufeffName"');
		const none = findUnknownField({ message: '={{ $json.Naem }}' }, items);
		for (const error of [bom, none]) expect(error?.hint).not.toContain('??');
	});

	test('is also found in To and in Sender ID, with the fields that there are', () => {
		expect(findUnknownField({ to: '={{ $json.tel }}' }, items)).toMatchObject({
			field: 'to',
			message: 'To uses the field tel, which no item has',
			hint: expect.stringContaining('The item has the fields phone.'),
		});
		expect(findUnknownField({ from: '={{ $json.sender }}' }, items)?.field).toBe('from');
	});
});
