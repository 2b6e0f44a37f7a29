import type { IDataObject, IHookFunctions } from 'n8n-workflow';

import { registration } from '../../../nodes/SmsReceiptTrigger/registration';

describe('activation of the SMS Delivery Receipt Trigger', () => {
	const { create, checkExists } = registration;
	const withOptions = (options: IDataObject) =>
		({ getNodeParameter: () => options }) as unknown as IHookFunctions;

	test.each([
		[{ ipAllowlist: '10.0.0.0/33' }, 'neither an IP address nor a range: "10.0.0.0/33"'],
		[{ ipAllowlist: ' ' }, 'IP Allowlist is empty'],
		[{ secret: '' }, 'Secret is empty: fill it in, or remove the option'],
		[{ secret: 'short' }, 'Secret is too short: it has 5 characters, and needs 16 or more'],
		[{ confirmWithTheService: null }, 'Confirm With The Service is neither on nor off, but empty'],
		[{ batchSize: 0 }, 'Batch Size must be from 1 to 1000, but is 0'],
	])('is refused with %j', async (options, sentence) => {
		await expect(create.call(withOptions(options))).rejects.toThrow(sentence);
	});

	test('goes through with usable options, and is checked each time', async () => {
		const options = { ipAllowlist: '10.0.0.0/8\n::1', secret: 'right-and-long-enough' };
		await expect(create.call(withOptions(options))).resolves.toBe(true);
		await expect(create.call(withOptions({}))).resolves.toBe(true);
		await expect(checkExists.call(withOptions({}))).resolves.toBe(false);
	});
});
