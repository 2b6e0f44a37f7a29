import type { Execution } from '../../tools/harness/N8nApi';
import { until } from '../../scripts/n8n/until';
import { callWebhook } from '../../tools/harness';
import {
	createBuilt,
	openShop,
	readTask,
	taskNames,
	type BuiltWorkflow,
	type Shop,
} from '../support/e2e/builderTasks';
import { linkIn, press } from '../support/e2e/questions';
import { sinceN8n2 } from '../support/e2e/sinceN8n2';
import { useService } from '../support/e2e/useService';
import { FormVisitor } from '../support/e2e/visitForm';

/** What an AI builder should make of ten tasks in words, each judged by what reached the service. */
sinceN8n2('forms with pages').describe('the task of a builder', () => {
	const service = useService({ knownSenders: ['MyShop'] });
	const manager = '959790000001';
	let shop: Shop;
	let built: BuiltWorkflow;
	beforeAll(async () => {
		shop = await openShop();
	});
	afterAll(() => shop?.close());
	beforeEach(() => shop.posted.splice(0));
	afterEach(async () => await service.api.deleteWorkflow(built.id));

	const build = async (name: string) => {
		built = await createBuilt(service, readTask(name), shop);
		return built;
	};
	const publish = async (name: string) => {
		await build(name);
		await service.api.activate(built.id);
	};
	const call = async (body: object) => {
		const { status } = await callWebhook(service.api, built.path, { body });
		expect(status).toBe(200);
	};
	const finish = async (executions: number): Promise<Execution[]> =>
		await service.api.finishedExecutions(built.id, executions);
	const executeManually = async () => {
		const id = await service.api.runManually(built.id, built.trigger.name);
		expect((await service.api.finishedExecution(id)).error).toBeUndefined();
	};
	/** The execution as soon as it waits. */
	const untilWaiting = async () => {
		const what = { what: 'the execution to wait' };
		await until(async () => {
			const all = await service.api.executions(built.id);
			return all.some(({ status }) => status === 'waiting') || undefined;
		}, what);
	};
	const sent = () => service.sandbox.messages().map(({ to, message }) => [to, message]);

	/** By the name of the task. */
	const checks: Record<string, () => Promise<void>> = {
		'phone-sign-in': async () => {
			await publish('phone-sign-in');
			for (const isRight of [false, true]) {
				const visitor = await FormVisitor.open(service.api.url, built.path);
				// OTP Request pauses between two codes for one number.
				await visitor.submit({ 'field-0': isRight ? '09791234561' : '09791234562' });
				const { code } = service.sandbox.codes().at(-1)!;
				await visitor.submit({
					'field-0': isRight ? code : String(1_000_000 - Number(code)).slice(-6),
				});
				expect(visitor.text.includes('Welcome')).toBe(isRight);
				expect(visitor.text.includes('Not verified')).toBe(!isRight);
			}
		},
		'alert-when-not-delivered': async () => {
			await publish('alert-when-not-delivered');
			const { secret } = built.trigger.parameters;
			const report = async (status: string, more = '') =>
				await callWebhook(service.api, `${built.path}/webhook`, {
					query: { secret: `${String(secret)}${more}` },
					body: { messageId: `m-${status}${more}`, to: '959791234567', status },
				});
			expect((await report('Failed', 'x')).status).toBe(401);
			for (const status of ['Delivered', 'Sent', 'Failed'])
				expect((await report(status)).status).toBe(200);
			await finish(1);
			expect(sent()).toEqual([[manager, expect.stringContaining('959791234567')]]);
		},
		'order-confirmation': async () => {
			await publish('order-confirmation');
			for (const order of [1234, 1234, 1235]) {
				await call({ order, phone: '09791234567' });
				await finish(1);
			}
			await finish(3);
			expect(sent()).toEqual([
				['959791234567', 'Thank you for order 1234.'],
				['959791234567', 'Thank you for order 1235.'],
			]);
		},
		'low-credit': async () => {
			await build('low-credit');
			service.sandbox.configure({ balance: 100_000 });
			await executeManually();
			expect(sent()).toEqual([]);
			service.sandbox.configure({ balance: 99_000 });
			await executeManually();
			expect(sent()).toEqual([[manager, expect.stringMatching(/99,?000/)]]);
		},
		'refund-approval': async () => {
			await publish('refund-approval');
			for (const response of ['decline', 'approve']) {
				service.sandbox.reset();
				await call({ order: `of-${response}`, amount: 45_000 });
				await untilWaiting();
				expect(sent()).toEqual([[manager, expect.stringContaining('45000')]]);
				await press(linkIn(service.sandbox), { response });
				await finish(response === 'approve' ? 2 : 1);
			}
			expect(shop.posted).toEqual([{ path: '/refunds', body: { order: 'of-approve' } }]);
		},
		'opening-hours': async () => {
			await publish('opening-hours');
			const numbers = ['09791234561', '+95 9 791 234 561', 'nobody', '09791234562'];
			await call({ customers: numbers.map((phone) => ({ phone })) });
			await finish(1);
			const wanted = ['959791234561', '959791234562'];
			expect(sent()).toEqual(wanted.map((to) => [to, 'We open on Sunday.']));
			const many = Array.from({ length: 501 }, (_, n) => ({ phone: `0979200${1000 + n}` }));
			await call({ customers: many });
			await finish(2);
			expect(sent()).toHaveLength(2);
		},
		'second-number': async () => {
			await publish('second-number');
			for (const status of ['Delivered', 'Failed']) {
				service.sandbox.reset();
				await call({ phone: '09791234561', second: '09791234562', text: 'Your taxi is here' });
				await untilWaiting();
				await service.sandbox.setStatus(service.sandbox.messages()[0].messageId, status);
				await finish(status === 'Failed' ? 2 : 1);
				const numbers = sent().map(([to]) => to);
				const second = status === 'Failed' ? ['959791234562'] : [];
				expect(numbers).toEqual(['959791234561', ...second]);
			}
		},
		'undelivered-list': async () => {
			await build('undelivered-list');
			const statuses = ['Delivered', 'Failed', 'Sent', 'Failed'];
			service.sandbox.seedMessages(4, (n) => ({ to: `95979123456${n}`, status: statuses[n] }));
			await executeManually();
			expect(shop.posted.map(({ body }) => body)).toEqual(
				expect.arrayContaining([{ phone: '959791234561' }, { phone: '959791234563' }]),
			);
			expect(shop.posted).toHaveLength(2);
			expect(sent()).toHaveLength(4);
		},
		'campaign-preview': async () => {
			await publish('campaign-preview');
			const customers = ['Aye', 'အေး'].map((name, n) => ({ name, phone: `0979123456${n}` }));
			customers.push({ name: 'Aye'.repeat(50), phone: '09791234562' });
			await call({ customers });
			await finish(1);
			expect(shop.posted.map(({ body }) => body)).toEqual([
				{ phone: expect.stringMatching(/91234560$/), parts: 1 },
				{ phone: expect.stringMatching(/91234561$/), parts: 1 },
				{ phone: expect.stringMatching(/91234562$/), parts: 2 },
			]);
			expect(sent()).toEqual([]);
		},
		'appointment-reminder': async () => {
			await publish('appointment-reminder');
			await call({ phone: '09791234567', appointment: '2027-03-02T10:00:00+07:00' });
			await finish(1);
			// One day before, in the time of the service.
			expect(service.sandbox.messages()).toMatchObject([
				{ to: '959791234567', scheduledAt: '2027-03-01 09:30:00' },
			]);
		},
	};

	test.each(taskNames)('%s does what it says', async (name) => {
		expect(Object.keys(checks)).toContain(name);
		await checks[name]();
	});
});
