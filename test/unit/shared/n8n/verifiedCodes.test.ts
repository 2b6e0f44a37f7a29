import { isVerified, rememberVerified } from '../../../../nodes/shared/n8n/verifiedCodes';

test('a code is verified once it was remembered, and a code without an ID never is', () => {
	expect(isVerified('one')).toBe(false);
	rememberVerified('one');
	expect([isVerified('one'), isVerified('another'), isVerified(undefined)]).toEqual([
		...[true, false, false],
	]);
});
