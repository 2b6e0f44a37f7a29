import { NodeHelpers, type INode } from 'n8n-workflow';

import { SmsReceiptTrigger } from '../../../nodes/SmsReceiptTrigger/SmsReceiptTrigger.node';
import { readSettings } from '../../../nodes/SmsReceiptTrigger/triggerOptions';
import { openHook } from '../../support/unit/receiver';
import { statuses, statusOptions } from '../../../nodes/SmsReceiptTrigger/statusOptions';
import { statusChoices } from '../../../nodes/shared/client/status';

const { checkExists, create } = new SmsReceiptTrigger().webhookMethods.default;
const publish = async (parameters: object) => await create.call(openHook({ ...parameters }));

describe('publishing a workflow with the trigger', () => {
	test.each([
		[{ options: { ipAllowlist: '10.0.0.0/33' } }, '"10.0.0.0/33" is not an IP address or range'],
		[{ options: { ipAllowlist: ' ' } }, 'IP Allowlist is empty'],
		[{ authentication: 'secret', secret: '' }, 'Secret is empty: enter for example '],
		[{ authentication: 'secret', secret: '={{ null }}' }, 'Secret is empty'],
		[
			{ authentication: 'secret', secret: 'short' },
			'Secret is too short: it has 5 characters and needs 16 or more',
		],
		[{ authentication: '={{ null }}' }, 'is not valid for Authentication'],
		[
			{ options: { passOnRepeats: 'often' } },
			'Allow Repeated Receipts must be on or off, but is "often"',
		],
		[{ options: { batchSize: 0 } }, 'Batch Size must be from 1 to 1000, but is 0'],
		[{ options: { batchSize: '' } }, 'Batch Size is empty'],
	])('is rejected with %j', async (parameters, sentence) => {
		await expect(publish(parameters)).rejects.toThrow(sentence);
	});

	test.each(['={{ undefined }}', '={{ null }}', '={{ "" }}', '={{ {} }}'])(
		'is rejected where Trigger On is %s, which would start on everything',
		async (statuses) => {
			await expect(publish({ statuses })).rejects.toThrow('Trigger On is empty');
		},
	);

	test('is rejected where Trigger On names no status of the service', async () => {
		await expect(publish({ statuses: ['Gone'] })).rejects.toThrow(
			'"Gone" is not valid for Trigger On',
		);
	});

	test('goes through with usable options, and is checked each time', async () => {
		const options = { ipAllowlist: '10.0.0.0/8\n::1' };
		const secret = 'right-and-long-enough';
		await expect(publish({ authentication: 'secret', secret, options })).resolves.toBe(true);
		await expect(publish({})).resolves.toBe(true);
		await expect(checkExists.call(openHook({}))).resolves.toBe(false);
	});
});

test('without options, every call starts an execution of its own, and repeats start nothing', () => {
	expect(readSettings(openHook({}))).toEqual({
		...{ batchSize: 1, passOnRepeats: false, statuses: [] },
		...{ authentication: 'none', ipAllowlist: undefined, secret: undefined },
	});
});

describe('statusOptions', () => {
	describe('what the trigger can start on', () => {
		test('is every status of the service, after the choices that people look for', () => {
			const statuses = statusOptions.slice(3).map(({ name, value }) => ({ name, value }));
			expect(statuses).toEqual(statusChoices);
		});

		test('is told apart in the nodes panel, and by its description', () => {
			const lost = ['Error', 'Expired', 'Failed', 'Rejected', 'Undelivered'];
			const shown = statusOptions.filter(({ value }) => lost.includes(String(value)));
			expect(shown.map(({ action }) => action)).toEqual([
				'On status Error (error of the mobile network)',
				'On status Expired (not delivered in time)',
				'On status Failed (could not be delivered)',
				'On status Rejected',
				'On status Undelivered (same as Failed)',
			]);
			for (const key of ['action', 'description'] as const)
				expect(new Set(statusOptions.map((one) => one[key])).size).toBe(statusOptions.length);
		});

		test.each([
			[['onDelivered'], ['Delivered', 'Success']],
			[['onNotDelivered'], ['Error', 'Expired', 'Failed', 'Rejected', 'Undelivered']],
			[
				['Sent', 'onDelivered'],
				['Sent', 'Delivered', 'Success'],
			],
			[['*', 'Sent'], []],
			[[], []],
			// What an expression gives.
			['delivered', ['Delivered']],
			[' Failed, onDelivered', ['Failed', 'Delivered', 'Success']],
		])('with %j is %j', (chosen, expected) => expect(statuses.read(chosen)).toEqual(expected));

		test.each([undefined, null, '', ' ', {}, [null, ''], ['Gone'], 7, true])(
			'is nothing with %j',
			(chosen) =>
				expect(() => statuses.read(chosen)).toThrow(
					/^Trigger On is empty|is not valid for Trigger On$/,
				),
		);
	});
});

describe('the panel', () => {
	const { description } = new SmsReceiptTrigger();
	const find = (searched: string) => description.properties.find(({ name }) => name === searched);

	test.each([
		['short', true],
		['x'.repeat(15), true],
		['a secret with blanks', true],
		['x'.repeat(16), false],
		['', false],
		['={{ $vars.secret }}', false],
	])('judges the secret %j: wrong is %s', (secret, isWrong) => {
		const values = { authentication: 'secret', secret };
		const property = find('wrongSecret');
		if (!property) throw new Error('The notice is missing.');
		const node = { typeVersion: 2 } as INode;
		expect(NodeHelpers.displayParameter(values, property, node, description)).toBe(isWrong);
	});

	test('shows how the URL gets its secret, in at most 150 characters', () => {
		const text = find('whereToPaste')?.displayName.replace(/<[^>]+>/g, '') ?? '';
		expect(text).toContain('?secret=YOUR-SECRET');
		expect(text.length).toBeLessThanOrEqual(150);
	});
});
