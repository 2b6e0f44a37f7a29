import { ServiceError } from '../../../../nodes/shared/client/ServiceError';
import type { MessageRecord } from '../../../../nodes/shared/client/types';
import { KnownAccount } from '../../../../nodes/shared/delivery/KnownAccount';
import { Ledger } from '../../../../nodes/shared/delivery/ledger';
import { OutageBrake } from '../../../../nodes/shared/delivery/OutageBrake';
import { Outcomes } from '../../../../nodes/shared/delivery/Outcomes';
import {
	isDoubtful,
	noteRequestTaken,
	type Outgoing,
} from '../../../../nodes/shared/delivery/Outgoing';
import { openContext } from '../../../workflow/openContext';

const service = { baseUrl: 'http://127.0.0.1:1/api', apiKey: 'key', apiSecret: 'secret' };
const record = { messageId: 'a', to: '959779100001', status: 'Accepted' };

function create() {
	const told: Array<MessageRecord | Error> = [];
	const message: Outgoing = {
		...{ to: '959779100001', message: 'Hello', from: 'MyShop', clientReference: 'order-7' },
		...{ isSentOnce: false, isSkipping: false },
		entry: Ledger.open(openContext(service)).entry(0, '959779100001', 0),
		settle: (outcome) => told.push(outcome),
	};
	const known = new KnownAccount();
	const outcomes = new Outcomes<Outgoing>(known, new OutageBrake());
	return { told, message, known, outcomes };
}

describe('Outcomes', () => {
	test('tells each message once', () => {
		const { told, message, outcomes } = create();
		expect(outcomes.left([message])).toEqual([message]);
		outcomes.accept(message, record, 'answer');
		outcomes.fail([message], new Error('too late'));
		expect(told).toEqual([record]);
		expect(outcomes.left([message])).toEqual([]);
	});

	test('notes whose record it is, and where it was found', () => {
		const { message, known, outcomes } = create();
		outcomes.accept(message, record, 'history');
		expect(message.entry.state).toBe('accepted');
		expect([known.isRecordOfSend(record), known.isFoundInHistory(record)]).toEqual([true, true]);
	});

	test('says of a failure which message it was', () => {
		const { told, message, outcomes } = create();
		outcomes.fail([message], new ServiceError('refused', { status: 400 }));
		expect(told[0]).toMatchObject({ facts: { to: '959779100001', clientReference: 'order-7' } });
	});

	test.each([
		[false, 'outcomeUnknown'],
		[true, 'unavailable'],
	])('leaves a message unclear with what history said; in an outage: %p', (isOutage, kind) => {
		const { told, message, outcomes } = create();
		message.entry.begin(1000, message, 'r1');
		message.entry.doubt(2000, false);
		outcomes.leaveUnclear(
			message,
			new ServiceError('unavailable', { status: 502 }),
			'riddle',
			isOutage,
		);
		expect(told[0]).toMatchObject({ kind, mayHaveActed: true });
		expect(told[0]).toMatchObject({ facts: { status: 502, requests: 1, history: 'riddle' } });
	});

	test('calls a stopped execution what it is', () => {
		const { told, message, outcomes } = create();
		const cancelled = new ServiceError('cancelled');
		outcomes.leaveUnclear(message, cancelled, 'nothing');
		expect(told).toEqual([cancelled]);
	});
});

describe('a message of a request that was taken', () => {
	test('is doubtful, and known to have been taken', () => {
		const { message, told, outcomes } = create();
		message.entry.begin(1000, message, 'r1');
		expect(isDoubtful(message)).toBe(false);
		message.entry.doubt(2000, false);
		expect(isDoubtful(message)).toBe(true);
		noteRequestTaken([message]);
		outcomes.leaveUnclear(message, undefined, 'nothing');
		expect(told[0]).toMatchObject({ facts: { history: 'partly' } });
	});
});
