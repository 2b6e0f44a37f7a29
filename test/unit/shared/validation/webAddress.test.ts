import { holdsUser, isWebAddress } from '../../../../nodes/shared/validation/webAddress';
import { isUsableBaseUrl } from '../../../../nodes/shared/client/address';
import { requireWebUrl } from '../../../../nodes/shared/validation/text';

const good = ['https://example.com', 'http://localhost:4010/api', 'HTTPS://Example.com/a/b'];
const none = [
	...['', 'example.com', 'ftp://example.com', 'https://', 'https:///a', 'https://?a', 'https://#a'],
	...['https://a b', 'https://a\\b', 'https://exa\u200bmple.com', 'https://a:99999', 'mailto:a@b'],
];
const withUser = ['https://user@example.com', 'https://user:pass@example.com/a', 'https://@a'];

describe('isWebAddress', () => {
	test.each(good)('is true for %j', (text) => expect(isWebAddress(text)).toBe(true));
	test.each(none)('is false for %j', (text) => expect(isWebAddress(text)).toBe(false));
});

describe('holdsUser', () => {
	test.each(withUser)('is true for %j', (text) => expect(holdsUser(text)).toBe(true));
	test.each([...good, 'https://example.com/@me', 'https://example.com?to=a@b'])(
		'is false for %j',
		(text) => expect(holdsUser(text)).toBe(false),
	);
});

test('the Base URL and the address for receipts are read the same way', () => {
	const isTaken = (address: string) => {
		try {
			return requireWebUrl(address, 'deliveryReceiptUrl', 'Delivery Receipt URL') === address;
		} catch {
			return false;
		}
	};
	for (const address of good)
		expect([isUsableBaseUrl(address), isTaken(address)]).toEqual([true, true]);
	for (const address of [...none, ...withUser]) {
		expect([isUsableBaseUrl(address), isTaken(address)]).toEqual([false, false]);
	}
});
