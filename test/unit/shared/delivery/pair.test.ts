import { pair } from '../../../../nodes/shared/delivery/pair';

describe('the messages to one number', () => {
	test('are known by their text, in whatever order they come', () => {
		expect(pair(['Two', 'One'], ['One', 'Two'])).toEqual([1, 0]);
		expect(pair(['New', 'One'], ['One'])).toEqual([1, 0]);
		expect(pair(['One', 'One', 'One'], ['One', 'One'])).toEqual([0, 1, 2]);
	});

	test('are known by their order if the text differs in each attempt, or cannot be read', () => {
		expect(pair(['At 9:02', 'At 9:03'], ['At 9:00', 'At 9:01'])).toEqual([0, 1]);
		expect(pair([undefined, 'One'], ['One', 'Two'])).toEqual([1, 0]);
		expect(pair(['One'], [undefined])).toEqual([0]);
	});
});
