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

/** At a time limit, n8n goes on 90 seconds later. */
const untilTimedOutMs = 200_000;
/** What calls each task with a time limit. */
const timeLimited: Record<string, object> = {
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
	const sent = () => service.sandbox.messages().map(({ to, message }) => [to, message]);

	/** By the name of the task. */
	const checks: Record<string, () => Promise<void>> = {
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
		},
		untilTimedOutMs + 10_000,
	);
});
