import {
	allowedCountryCodes,
	doNotSendTo,
	maxMessages,
	maxParts,
} from '../../../../nodes/shared/fields/safeguards';

test('an empty list is a value for Do Not Send To, and everything else that is empty is not', () => {
	expect(doNotSendTo.read([]).size).toBe(0);
	for (const empty of ['', ' ', null, undefined, {}, NaN]) {
		expect(() => doNotSendTo.read(empty)).toThrow('Do Not Send To is empty');
	}
	expect(() => doNotSendTo.read([''])).toThrow('Do Not Send To is not a phone number: ""');
	expect(doNotSendTo).toMatchObject({ isOfRun: true, whenAbsent: new Set() });
});

test('Allowed Country Codes allows all countries only while it is absent', () => {
	expect(allowedCountryCodes.whenAbsent).toBeUndefined();
	expect(allowedCountryCodes.read('+95, 65')).toEqual(['95', '65']);
	for (const empty of ['', ' ', null, undefined, [], {}]) {
		expect(() => allowedCountryCodes.read(empty)).toThrow('Allowed Country Codes is empty');
	}
});

test.each([
	['Max Parts', maxParts],
	['Max Messages', maxMessages],
])('0 means no limit for %s, and empty is rejected', (label, { read, whenAbsent }) => {
	expect([whenAbsent, read(0), read('0'), read(7)]).toEqual([Infinity, Infinity, Infinity, 7]);
	for (const empty of ['', null, undefined, []]) {
		expect(() => read(empty)).toThrow(`${label} is empty`);
	}
});
