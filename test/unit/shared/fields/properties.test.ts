import { sendToolDescription, toolDescription } from '../../../../nodes/shared/fields/properties';

describe('what a model is told of a tool', () => {
	test('is shown on tools only, and can be changed', () => {
		expect(toolDescription('Sends nothing.')).toMatchObject({
			...{ name: 'toolDescription', default: 'Sends nothing.' },
			displayOptions: { show: { '@tool': [true] } },
		});
	});

	test('says of a send that it costs money, and not to repeat one whose outcome is unknown', () => {
		const text = sendToolDescription('Send an SMS.', '; one only').default as string;
		expect(text).toMatch(/^Send an SMS\. Every message costs money/);
		expect(text).toContain('with + and country code; one only. From is');
		expect(text).toContain('"Outcome unknown"');
	});
});
