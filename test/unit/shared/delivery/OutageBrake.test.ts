import { ServiceError } from '../../../../nodes/shared/client/ServiceError';
import { OutageBrake } from '../../../../nodes/shared/delivery/OutageBrake';
import { deliveryTiming } from '../../../../nodes/shared/delivery/timing';

const failure = new ServiceError('unavailable', { status: 500, mayHaveActed: true });
const heldBack = { kind: 'unavailable', facts: { code: 'heldBack' } };

describe('OutageBrake', () => {
	const { outageAfter } = deliveryTiming;
	beforeEach(() => void (deliveryTiming.outageAfter = 2));
	afterAll(() => void (deliveryTiming.outageAfter = outageAfter));

	const fail = (brake: OutageBrake, times: number) => {
		for (let n = 0; n < times; n += 1) brake.noteFailure(failure);
	};

	test('lets everything through until too many requests in a row have failed', async () => {
		const brake = new OutageBrake();
		fail(brake, 1);
		expect(await brake.run(async () => 'sent')).toBe('sent');
		fail(brake, 1);
		await expect(brake.run(async () => 'sent')).rejects.toMatchObject(heldBack);
	});

	test('counts from zero again after an acceptance', async () => {
		const brake = new OutageBrake();
		fail(brake, 1);
		brake.noteAcceptance();
		fail(brake, 1);
		expect(await brake.run(async () => 'sent')).toBe('sent');
	});

	test('does not count refusals, which say nothing about the service', async () => {
		const brake = new OutageBrake();
		for (let n = 0; n < 5; n += 1) brake.noteFailure(new ServiceError('refused', { status: 400 }));
		expect(await brake.run(async () => 'sent')).toBe('sent');
	});

	test.each([
		['sends on when one of those that were begun is found', true],
		['holds back when none of them is', false],
	])('%s', async (_, isFound) => {
		const brake = new OutageBrake();
		let finish: () => void = () => undefined;
		const first = brake.run(async () => await new Promise<void>((resolve) => (finish = resolve)));
		fail(brake, 2);
		const second = brake.run(async () => 'sent').catch((error: unknown) => error);
		if (isFound) brake.noteAcceptance();
		finish();
		await first;
		if (isFound) expect(await second).toBe('sent');
		else expect(await second).toMatchObject(heldBack);
	});
});
