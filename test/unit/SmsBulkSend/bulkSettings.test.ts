import type { IDataObject } from 'n8n-workflow';

import {
	lookBackHours,
	pauseBetweenRequests,
	readSettings,
	recipientsPerRequest,
} from '../../../nodes/SmsBulkSend/bulkSettings';

describe('the settings of a bulk run', () => {
	test('are those that the fields show where the user says nothing', () => {
		expect(readSettings({})).toEqual({
			recipientsPerRequest: recipientsPerRequest.default,
			pauseBetweenRequests: pauseBetweenRequests.default,
			isSentOnce: false,
			isSkipping: false,
			lookBackMs: Number(lookBackHours.default) * 3_600_000,
		});
	});

	test('come from the options, also as the text that an expression gives', () => {
		const options = {
			...{ recipientsPerRequest: '250', pauseBetweenRequests: 1500, lookBackHours: '2' },
			...{ whenUnclear: 'report', skipIfAlreadySent: 'true' },
		};
		expect(readSettings(options)).toEqual({
			...{ recipientsPerRequest: 250, pauseBetweenRequests: 1500, lookBackMs: 7_200_000 },
			...{ isSentOnce: true, isSkipping: true },
		});
	});

	test.each([lookBackHours, pauseBetweenRequests, recipientsPerRequest])(
		'are refused where $displayName is beyond what the field allows',
		({ name, displayName, typeOptions = {} }) => {
			const { minValue = 0, maxValue = 0 } = typeOptions;
			for (const value of [minValue - 1, maxValue + 1]) {
				const read = () => readSettings({ [name]: value } as IDataObject);
				expect(read).toThrow(`${displayName} must be from ${minValue} to ${maxValue}`);
			}
			for (const value of [minValue, maxValue]) readSettings({ [name]: value });
		},
	);
});
