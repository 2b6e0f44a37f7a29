import { describeMoved } from '../../../../nodes/shared/campaign/describeMoved';

const timeZone = 'Asia/Yangon';
const moment = Date.parse('2026-11-23T02:30Z');

describe('the hint about a closed send window', () => {
	test('is not there when nothing was moved', () => expect(describeMoved([])).toEqual([]));

	test.each([
		[[moment], '1 message is scheduled'],
		[[moment + 1e9, moment], '2 messages are scheduled'],
	])('says how many were moved, and to when', (moments, words) => {
		const [{ message }] = describeMoved(moments.map((one) => ({ moment: one, timeZone })));
		expect(message).toContain(words);
		expect(message).toContain('opens on Monday 2026-11-23 at 09:00 (Asia/Yangon)');
	});
});
