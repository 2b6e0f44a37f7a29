import type { IDataObject } from 'n8n-workflow';

import { DateTime } from 'luxon';

import { httpClient } from '../../scripts/http';
import type { Execution } from '../../tools/harness/N8nApi';
import { until } from '../../scripts/n8n/until';
import { startSandbox } from '../../sandbox';
import { callWebhook } from '../../tools/harness';
import {
	createBuilt,
	openShop,
	readTask,
	shorten,
	taskNames,
	type BuiltWorkflow,
	type Shop,
} from '../support/e2e/builderTasks';
import { linkIn, press } from '../support/e2e/questions';
import { sinceN8n2 } from '../support/e2e/sinceN8n2';
import { createCredentials, useService } from '../support/e2e/useService';
import { FormVisitor } from '../support/e2e/visitForm';

/** At a time limit, n8n goes on 90 seconds later. */
const untilTimedOutMs = 200_000;
/** What calls each task with a time limit. */
const timeLimited: Record<string, object> = {
	'refund-approval': { order: 'late', amount: 1 },
	'second-number': { phone: '09791234501', second: '09791234502', text: 'Late' },
	'which-day': {},
	'how-was-it': { phone: '09791234503' },
	'on-the-phone': { phone: '09791234504', text: 'Late' },
};

/** What an AI builder should make of tasks in words, each judged by what reached the service. */
sinceN8n2('forms with pages').describe('the task of a builder', () => {
	const service = useService({ knownSenders: ['MyShop'] });
	/** Side by side with the tests, with limits of seconds, and with nobody who responds. */
	const beginLate = async () => {
		const sandbox = await startSandbox({ pace: 0, methods: 'usual', knownSenders: ['MyShop'] });
		const started = { shop: await openShop(), sandbox, ids: [] as string[] };
		const credentials = await createCredentials(service.api, sandbox);
		for (const [name, body] of Object.entries(timeLimited)) {
			const task = shorten(readTask(name));
			const { id, path } = await createBuilt({ ...service, credentials }, task, started.shop);
			await service.api.activate(id);
			expect((await callWebhook(service.api, path, { body })).status).toBe(200);
			started.ids.push(id);
		}
		return started;
	};
	let late: Awaited<ReturnType<typeof beginLate>>;
	const manager = '959790000001';
	let shop: Shop;
	let built: BuiltWorkflow;
	beforeAll(async () => {
		shop = await openShop();
		late = await beginLate();
	});
	afterAll(async () => {
		shop?.close();
		late?.shop.close();
		await late?.sandbox.close();
	});
	beforeEach(() => shop.posted.splice(0));
	afterEach(async () => await service.api.deleteWorkflow(built.id).catch(() => undefined));

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
	/** @returns how long the execution waits, in minutes */
	const untilWaiting = async () => {
		const what = { what: 'the execution to wait' };
		const id = await until(async () => {
			const all = await service.api.executions(built.id);
			return all.find(({ status }) => status === 'waiting')?.id;
		}, what);
		const { waitTill } = await service.api.execution(id);
		return (Date.parse(waitTill ?? '') - Date.now()) / 60_000;
	};
	const expectMinutes = (minutes: number, limit: number) => {
		expect(minutes).toBeGreaterThan(limit - 0.5);
		expect(minutes).toBeLessThan(limit + 3);
	};
	/** Whether the workflow starts every day at an hour, and at no other time. */
	const expectDailyAt = (hour: number) => {
		const { rule } = built.trigger.parameters as { rule: { interval: IDataObject[] } };
		const [{ field = 'days', daysInterval = 1, triggerAtHour, triggerAtDay, expression }, ...more] =
			rule.interval;
		const isWeekly = field === 'weeks' && new Set(triggerAtDay as number[]).size === 7;
		const isDaily = (field === 'days' && daysInterval === 1) || isWeekly;
		const isByCron = new RegExp(`^(\\S+ )?\\d+ ${hour} \\* \\* \\*$`).test(String(expression));
		expect(more).toEqual([]);
		expect(built.trigger.type).toBe('n8n-nodes-base.scheduleTrigger');
		expect((isDaily && triggerAtHour === hour) || isByCron).toBe(true);
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
			const report = async (status: string) =>
				await callWebhook(service.api, `${built.path}/webhook`, {
					body: { messageId: `m-${status}`, to: '959791234567', status },
				});
			for (const status of ['Delivered', 'Sent', 'Failed', 'Expired'])
				expect((await report(status)).status).toBe(200);
			await finish(2);
			expect(sent()).toEqual(Array(2).fill([manager, expect.stringContaining('959791234567')]));
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
			expectDailyAt(8);
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
				expectMinutes(await untilWaiting(), 10);
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
			const before = { to: '959791234569', createdAtMs: Date.now() - 9 * 24 * 60 * 60_000 };
			service.sandbox.seedMessages(1, () => ({ ...before, status: 'Failed' }));
			await executeManually();
			expect(shop.posted.map(({ body }) => body)).toEqual(
				expect.arrayContaining([{ phone: '959791234561' }, { phone: '959791234563' }]),
			);
			expect(shop.posted).toHaveLength(2);
			expect(sent()).toHaveLength(5);
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
		'tomorrow-at-nine': async () => {
			await publish('tomorrow-at-nine');
			await call({ customers: [{ phone: '09791234561' }, { phone: '09791234562' }] });
			await finish(1);
			// The service writes Yangon time.
			const tomorrow = DateTime.now().setZone('Asia/Yangon').plus({ days: 1 }).toISODate();
			const at = { scheduledAt: `${tomorrow} 09:00:00`, message: 'Our sale starts today.' };
			expect(service.sandbox.messages()).toMatchObject([at, at]);
		},
		'which-day': async () => {
			await publish('which-day');
			await call({});
			await untilWaiting();
			expect(sent()).toEqual([[manager, expect.any(String)]]);
			await press(linkIn(service.sandbox), { response: '1' });
			await finish(1);
			expect(shop.posted).toEqual([{ path: '/day', body: { day: 'Tuesday' } }]);
		},
		'how-was-it': async () => {
			await publish('how-was-it');
			await call({ phone: '09791234567' });
			expectMinutes(await untilWaiting(), 180);
			await press(linkIn(service.sandbox), { response: 'send', text: 'Very good "soup"' });
			await finish(1);
			expect(shop.posted).toEqual([{ path: '/reviews', body: { words: 'Very good "soup"' } }]);
		},
		'check-a-code': async () => {
			await publish('check-a-code');
			const request = async (to: string) => {
				const params = { accessToken: service.sandbox.token, to, brand: 'MyShop', from: 'MyShop' };
				const url = `${service.sandbox.baseUrl}/otp/request`;
				const { data } = await httpClient.post<IDataObject>(url, null, { params });
				return { requestId: data.requestId, code: service.sandbox.codes().at(-1)?.code };
			};
			const check = async (body: object) =>
				String((await callWebhook(service.api, built.path, { body })).data);
			const mine = await request('09791234561');
			const others = await request('09791234562');
			const phone = '09791234561';
			expect(await check({ ...mine, code: '000000x', phone })).toBe('no');
			expect(await check({ ...others, phone })).toBe('no');
			expect(await check({ ...mine, phone: '' })).toBe('no');
			expect(await check({ ...mine, phone })).toBe('yes');
		},
		'on-the-phone': async () => {
			await publish('on-the-phone');
			for (const status of ['Delivered', 'Failed']) {
				service.sandbox.reset();
				await call({ phone: '09791234561', text: 'Here I am' });
				expectMinutes(await untilWaiting(), 60);
				await service.sandbox.setStatus(service.sandbox.messages()[0].messageId, status);
				await finish(status === 'Failed' ? 2 : 1);
			}
			expect(shop.posted).toMatchObject([{ path: '/arrived' }]);
			expect(JSON.stringify(shop.posted)).toContain('91234561');
		},
		'stop-list': async () => {
			await publish('stop-list');
			const numbers = ['09791234561', '09791234562', '+959791234561', '09791234563'];
			const customers = numbers.map((phone) => ({ phone }));
			await call({ customers, stopped: ['959791234562', '09799999999'] });
			await finish(1);
			expect(sent().map(([to]) => to)).toEqual(['959791234561', '959791234563']);
			await call({ customers: [{ phone: '09791234564' }], stopped: [] });
			await finish(2);
			expect(sent()).toHaveLength(3);
		},
		'no-foreign-numbers': async () => {
			await publish('no-foreign-numbers');
			const numbers = ['+6591234567', '09791234561', '+14155550100', '09791234562'];
			await call({ customers: numbers.map((phone) => ({ phone })) });
			await finish(1);
			expect(sent().map(([to]) => to)).toEqual(['959791234561', '959791234562']);
		},
		'not-at-night': async () => {
			await publish('not-at-night');
			await call({ phone: '09791234561', text: 'Hello' });
			await finish(1);
			const now = DateTime.now().setZone('Asia/Yangon');
			const isOpen = now.hour >= 8 && now.hour < 20;
			const morning = now.plus({ days: now.hour >= 20 ? 1 : 0 }).toISODate();
			expect(service.sandbox.messages()).toMatchObject([
				{ to: '959791234561', scheduledAt: isOpen ? null : `${morning} 08:00:00` },
			]);
			expect(JSON.stringify(built.nodes)).toContain('08:00');
		},
		'two-parts-at-most': async () => {
			await publish('two-parts-at-most');
			const texts = ['Short', 'x'.repeat(306), 'x'.repeat(307), 'မ'.repeat(135)];
			for (const [n, text] of texts.entries()) {
				await call({ phone: `0979123456${n}`, text });
				await finish(n + 1);
			}
			expect(sent().map(([to]) => to)).toEqual(['959791234560', '959791234561']);
			expect(JSON.stringify(shop.posted)).toMatch(/91234562.*91234563/);
			expect(shop.posted).toHaveLength(2);
		},
		'how-many-delivered': async () => {
			await build('how-many-delivered');
			await executeManually();
			const midnight = DateTime.now().setZone('Asia/Yangon').startOf('day').toMillis();
			const at = (createdAtMs: number, status: string) =>
				service.sandbox.seedMessages(1, () => ({ createdAtMs, status }));
			at(midnight - 60_000, 'Delivered');
			for (const status of ['Delivered', 'Failed', 'Delivered']) at(midnight + 1000, status);
			await executeManually();
			expect(shop.posted).toEqual([
				{ path: '/count', body: { delivered: 0 } },
				{ path: '/count', body: { delivered: 2 } },
			]);
		},
	};

	test.each(taskNames)('%s does what it says', async (name) => {
		expect(Object.keys(checks)).toContain(name);
		await checks[name]();
	});

	test(
		'is right at its time limit, too',
		async () => {
			for (const id of late.ids) {
				const [{ error }] = await service.api.finishedExecutions(id, 1);
				expect(error).toBeUndefined();
			}
			expect(late.shop.posted).toEqual([]);
			const second = late.sandbox.messages().filter(({ to }) => to === '959791234502');
			expect(second).toHaveLength(1);
		},
		untilTimedOutMs + 10_000,
	);
});
