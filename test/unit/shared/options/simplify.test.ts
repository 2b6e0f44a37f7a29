import type { IDataObject } from 'n8n-workflow';

import { shapeRecord } from '../../../../nodes/shared/options/simplify';

/** As full as a record can be. */
const full: IDataObject = {
	messageId: 'a-1',
	message: 'Hello',
	to: '959779123456',
	clientReference: 'order-1',
	scheduledAt: '2027-03-01 09:30:00',
	createdAt: '2026-11-20 09:30:00',
	messageCount: 1,
	from: 'MyShop',
	network: 'MPT',
	type: 'sms.text',
	status: 'Accepted',
	test: true,
	encryptMessage: true,
	encryptKey: 'my key',
	scheduledAtUtc: '2027-03-01T03:00:00.000Z',
	alreadySent: true,
	outcome: 'timedOut',
	receipt: null,
	finishedAt: null,
};

describe('a simplified record', () => {
	test('has ten fields at most, always with the key that is returned once', () => {
		const simplified = shapeRecord(full, true);
		expect(Object.keys(simplified)).toHaveLength(10);
		expect(Object.keys(simplified).slice(0, 3)).toEqual(['to', 'status', 'messageId']);
		expect(simplified).toMatchObject({ encryptKey: 'my key', encrypted: true, alreadySent: true });
	});

	test('of a scheduled message with a reference has what is needed to send it again', () => {
		const listed = { ...full, outcome: undefined, alreadySent: undefined, encryptMessage: false };
		delete (listed as Partial<typeof full>).encryptKey;
		expect(shapeRecord(listed, true)).toMatchObject({ message: full.message, from: 'MyShop' });
	});

	test('of history has the network', () => {
		const { to, status, messageId, clientReference, message, messageCount, from, network } = full;
		const listed = { to, status, messageId, clientReference, message, messageCount, from, network };
		const times = { createdAt: full.createdAt, finishedAt: '2026-11-20 09:30:04' };
		expect(shapeRecord({ ...listed, ...times }, true)).toEqual({ ...listed, ...times });
	});

	test.each([
		[true, true],
		[1, true],
		['true', true],
		[false, undefined],
		[0, undefined],
		[undefined, undefined],
	])('says whether its text is stored encrypted: %j', (encryptMessage, encrypted) => {
		expect(shapeRecord({ ...full, encryptMessage }, true).encrypted).toBe(encrypted);
	});

	test.each([null, '', undefined])(
		'has no field that is %j, unless it is raw',
		(clientReference) => {
			const record = { ...full, clientReference };
			expect(shapeRecord(record, true)).not.toHaveProperty('clientReference');
			expect(shapeRecord(record, false)).toHaveProperty('clientReference');
		},
	);

	test.each([false, 'false', 0])('is whole with Simplify %j, with what matters in front', (off) => {
		const raw = shapeRecord(full, off);
		expect(raw).toEqual(full);
		expect(Object.keys(raw).slice(0, 4)).toEqual(['to', 'status', 'messageId', 'outcome']);
	});

	test('is unchanged if it is not a record of a message', () => {
		const skipped = { to: '959779123456', skipped: 'duplicate' };
		expect(shapeRecord(skipped, true)).toBe(skipped);
	});
});

test('a repeated call of a tool is never taken for a second message', () => {
	const note = 'Sent 4 seconds ago. To send another message, change the text.';
	for (const simplify of [true, false]) {
		expect(shapeRecord({ ...full, note }, simplify)).toMatchObject({ alreadySent: true, note });
	}
});
