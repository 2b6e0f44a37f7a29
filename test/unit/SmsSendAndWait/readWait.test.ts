import type { IDataObject } from 'n8n-workflow';

import { readWait } from '../../../nodes/SmsSendAndWait/sendAndWait.operation';

const read = (parameters: IDataObject, allowedCountryCodes?: string[]) => {
	const written: IDataObject = { waitFor: 'anyFinal', timeLimit: 60, ...parameters };
	const { to = '09791234567' } = written;
	return readWait((name) => written[name], 0, { to, allowedCountryCodes });
};

describe('what a node waits for', () => {
	test('is a message to one number, until a time', () => {
		expect(read({ waitFor: 'delivered', timeLimit: '0.5' })).toEqual({
			...{ number: '959791234567', waitFor: 'delivered', limitMs: 30_000 },
		});
		expect(read({ waitFor: 'something else' }).waitFor).toBe('anyFinal');
	});

	test('is never several numbers, and never one of a country that is not allowed', () => {
		expect(() => read({ to: '09791234567, 09791234568' })).toThrow('several numbers');
		expect(() => read({ to: '+6591234567' }, ['95'])).toThrow('country that is not allowed');
	});

	test.each([0, -1, 'soon', ' ', null, 525_601])('is for no Time Limit of %j', (timeLimit) => {
		expect(() => read({ timeLimit })).toThrow(
			'Time Limit must be a number of minutes greater than 0',
		);
	});
});
