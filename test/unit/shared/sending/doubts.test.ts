import type { IDataObject } from 'n8n-workflow';

import { describeDoubts } from '../../../../nodes/shared/sending/doubts';
import type { Planned } from '../../../../nodes/shared/sending/planned';
import { nowhere, openContext } from '../../../support/workflow/openContext';

const of = (message: string, items: IDataObject[] = [{}], texts: string[] = []) => {
	const context = openContext(nowhere, { items, parameters: { message } });
	const planned = texts.map((text) => ({ draft: { request: { message: text } } }) as Planned);
	return describeDoubts(context, planned).filter(Boolean);
};
const serial = Math.floor(Date.now() / 86_400_000) + 25_569;

describe('the doubts of a dry run', () => {
	test('name a column of Excel dates only where each value is one', () => {
		const message = '=On {{ $json.day }}';
		expect(of(message, [{ day: serial }, { day: String(serial + 0.5) }])[0]).toContain(
			`day looks like dates or times of Excel: ${serial} = `,
		);
		for (const other of ['', 'soon', 45, 1_000_000, null, true, serial + 9_000])
			expect(of(message, [{ day: serial }, { day: other }])).toEqual([]);
		expect(of('=On {{ $json.day + 1 }}', [{ day: serial }])).toEqual([]);
		expect(of('On {{ $json.day }}', [{ day: serial }])).toEqual([]);
	});

	test('name the expression for a field in a field', () => {
		const [said] = of('=At {{ $json.visit["the time"] }}', [{ visit: { 'the time': 0.375 } }]);
		expect(said).toContain('visit.the time looks like dates or times of Excel: 0.375 = 09:00.');
		expect(said).toMatch(/Use \{\{ .*\$json\["visit"\]\["the time"\].*'HH:mm'\) \}\}$/);
	});

	test('count texts with placeholders, and name three of them', () => {
		const texts = ['Dear [Name]', 'Dear {name}', 'Dear #NAME#', 'Dear %NAME%', 'Dear <<Name>>'];
		expect(of('Hello', [{}], [...texts, 'Dear Aye'])).toEqual([
			'5 texts contain [Name], {name}, #NAME#. People will read this as it is: n8n fills in only {{ }}.',
		]);
		expect(of('Hello', [{}], ['Pay 5%, order #12 [3] {4} <5>', 'nullify undefinedly'])).toEqual([]);
	});
});
