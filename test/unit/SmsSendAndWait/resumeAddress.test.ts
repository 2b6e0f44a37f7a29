import { proofField, readPurpose, toAddresses } from '../../../nodes/SmsSendAndWait/resumeAddress';

const place = { executionId: '7', nodeId: 'node', nonce: 'n' };
const resumeUrl = 'http://n8n/webhook-waiting/7?signature=token';
const proofIn = (address: string) => new URL(address).searchParams.get(proofField);

describe('the addresses of a message', () => {
	const addresses = toAddresses(resumeUrl, 'secret', place);

	test('lead to the node, and keep the token of n8n', () => {
		for (const address of Object.values(addresses)) {
			const { pathname, searchParams } = new URL(address);
			expect([pathname, searchParams.get('signature')]).toEqual([
				'/webhook-waiting/7/node',
				'token',
			]);
		}
	});

	test('prove one purpose each', () => {
		const purposes = Object.values(addresses).map((address) =>
			readPurpose('secret', place, proofIn(address)),
		);
		expect(purposes).toEqual(Object.keys(addresses));
	});

	test.each([{ executionId: '8' }, { nodeId: 'other' }, { nonce: 'm' }])(
		'prove nothing of %j',
		(other) => {
			const proof = proofIn(addresses.receipt);
			expect(readPurpose('secret', { ...place, ...other }, proof)).toBeUndefined();
		},
	);

	test('prove nothing under another secret, nor does anything else', () => {
		const proof = proofIn(addresses.receipt);
		expect(readPurpose('other', place, proof)).toBeUndefined();
		for (const given of [undefined, '', 'x', [proof], `${proof} `]) {
			expect(readPurpose('secret', place, given)).toBeUndefined();
		}
	});
});
