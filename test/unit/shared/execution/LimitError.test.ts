import { LimitError } from '../../../../nodes/shared/execution/LimitError';
import { toErrorItem } from '../../../../nodes/shared/execution/toNodeError';

test('a limit says what was reached, what to do, and when the next try is allowed', () => {
	const error = new LimitError('Too many codes', 'Wait 30 seconds.', 30);
	expect(toErrorItem(error, 1)).toEqual({
		error: 'Too many codes [item 1]',
		details: {
			kind: 'limited',
			description: 'Wait 30 seconds.',
			itemIndex: 1,
			retryAfterSeconds: 30,
		},
	});
});
