import { httpClient } from '../../scripts/http';
import { until } from '../../scripts/n8n/until';
import { callAll } from '../support/e2e/callAll';
import { ExampleRunner, withOwnTables } from '../support/e2e/ExampleRunner';
import { never } from '../support/e2e/Week';
import { startN8n, type OwnN8n } from '../../tools/harness';
import { hasNginx, startProxy } from '../support/unit/nginx';
import { sinceN8n2 } from '../support/e2e/sinceN8n2';

/** Without it, requests are as fast as the machine responds, and only what our nodes decide is judged. */
const floodMinutes = Number(process.env.FLOOD_MINUTES ?? 0);
const visits = Number(process.env.FLOOD_VISITS ?? 12);
const websiteKey = { name: 'X-Api-Key', value: 'of-the-website' };
/** Visitors ask for their next page again and again: twenty keep two processors busy with asking alone. */
const visitorsAtOnce = 6;
const longestRunMs = 30 * 60_000;

describe('codes under SMS pumping', () => {
	let n8n: OwnN8n;
	let runner: ExampleRunner;
	let began: number;

	beforeAll(async () => {
		// As docs/scaling/compose.yaml sets it.
		n8n = await startN8n({
			env: { N8N_METRICS: 'true', N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' },
		});
		runner = await ExampleRunner.open({ httpHeaderAuth: websiteKey }, n8n);
	});
	beforeEach(async () => {
		await runner.reset();
		runner.sandbox.configure({ balance: 1_000_000_000 });
		began = Date.now();
	});
	afterAll(async () => {
		await runner?.close();
		await n8n?.close();
	});

	/** Each in a range of its own. */
	const numberOf = (n: number) => `0979${1_000 + n}000`;

	/** How many codes the service was asked for, for each number that got any. */
	const countByNumber = () => {
		const counts = new Map<string, number>();
		for (const { to } of runner.sandbox.codes()) counts.set(to, (counts.get(to) ?? 0) + 1);
		return [...counts.values()];
	};
	/** How many codes the defaults allow a number in the time since the test began. */
	const mostPerNumber = () => Math.min(5, 1 + Math.floor((Date.now() - began) / 30_000));

	const readMemory = async () => {
		const { data } = await httpClient.get<string>(`${n8n.url}/metrics`);
		const read = (name: string) => Number(new RegExp(`${name} (\\d\\S*)`).exec(data)?.[1]) / 1e6;
		return {
			heapMB: Math.round(read('nodejs_heap_size_used_bytes')),
			residentMB: Math.round(read('process_resident_memory_bytes')),
		};
	};

	/** Of a person who signs in: how a code is requested, and how it is entered. */
	interface Door {
		/** @returns enters the code, or undefined where none was sent */
		request(phone: string, from: string): Promise<((code: string) => Promise<boolean>) | undefined>;
	}

	const post = async (url: string, body: object | string, headers: object) =>
		await httpClient.post<unknown>(url, body, {
			headers: { ...headers },
			timeout: 60_000,
			validateStatus: () => true,
		});

	/** Example 12, called by a website. */
	const openWebsite = async (): Promise<Door> => {
		await runner.activate('sign-in-webhook', {}, { saveAll: false });
		const headers = { [websiteKey.name]: websiteKey.value };
		const call = async (path: string, body: object) =>
			await post(`${n8n.url}/webhook/${runner.addressOf(`sign-in/${path}`)}`, body, headers);
		// n8n registers a webhook some time after the workflow is active.
		const isReady = async () => (await call('request-code', {})).status !== 404 || undefined;
		await until(isReady, { what: 'the webhook of the example' });
		return {
			request: async (phone, visitor) => {
				const { status, data } = await call('request-code', { phone, visitor });
				if (status !== 200) return undefined;
				const { requestId } = data as { requestId: string };
				return async (code) =>
					(await call('verify-code', { requestId, phone, code })).status === 200;
			},
		};
	};

	/** Example 30, opened by browsers. @param url of n8n, or of what is in front of it */
	const openPage = async (url: string): Promise<Door> => {
		const changes = { 'Every minute': never };
		const example = withOwnTables('sign-in-page');
		const created = await runner.activate(example, changes, { saveAll: false });
		await runner.execute(created, 'Start once');
		const page = `${url}/webhook/${runner.addressOf('sign-in-page')}`;
		const submit = async (fields: Record<string, string>, from: string) => {
			const body = new URLSearchParams(fields).toString();
			const { data } = await post(page, body, {
				...{ 'Content-Type': 'application/x-www-form-urlencoded' },
				...(url === n8n.url ? { 'X-Real-IP': from } : { 'X-Forwarded-For': from }),
			});
			return String(data);
		};
		return {
			request: async (phone, from) => {
				const html = await submit({ step: 'number', phone }, from);
				const [, ticket] = /name="ticket" value="([\w-]+)"/.exec(html) ?? [];
				if (!html.includes('Enter your code') || !ticket) return undefined;
				return async (code) =>
					(await submit({ step: 'code', phone, ticket, code }, from)).includes('is verified');
			},
		};
	};

	/** One visitor every two seconds, each from an address of their own, beside junk. @returns percent per minute */
	const flood = async (door: Door, { junk, addresses }: { junk: number; addresses: number }) => {
		const minutes: Array<{ asked: number; verified: number }> = [];
		const pending: Array<Promise<unknown>> = [];
		const start = Date.now();
		const signIn = async (n: number) => {
			const minute = (minutes[Math.floor((Date.now() - start) / 60_000)] ??= {
				...{ asked: 0, verified: 0 },
			});
			minute.asked += 1;
			const phone = `0978${1_000 + (n % 9_000)}000`;
			const from = `198.51.${n % 100}.${1 + Math.floor(n / 100)}`;
			const enter = await door.request(phone, from).catch(() => undefined);
			if (floodMinutes > 0) await new Promise((resolve) => setTimeout(resolve, 3_000));
			const sent = runner.sandbox.codes().filter(({ to }) => to === `95${phone.slice(1)}`);
			if (await enter?.(sent.at(-1)?.code ?? '').catch(() => false)) minute.verified += 1;
		};
		const ask = async (n: number) =>
			await door
				.request(`0979${1_000 + (n % 9_000)}000`, `203.0.113.${1 + (n % addresses)}`)
				.catch(() => undefined);
		let [visitors, requests] = [0, 0];
		// Who comes before the flood makes its network known.
		for (; floodMinutes > 0 && visitors < 3; visitors += 1) await signIn(visitors);
		for (; floodMinutes === 0 && visitors < 5; visitors += 1, requests += 4)
			await Promise.all([
				signIn(visitors),
				...[0, 1, 2, 3].map(async (n) => await ask(requests + n)),
			]);
		while (Date.now() - start < floodMinutes * 60_000) {
			const elapsed = Date.now() - start;
			for (; visitors < elapsed / 2_000; visitors += 1) pending.push(signIn(visitors));
			for (; requests < (elapsed * junk) / 1_000; requests += 1) pending.push(ask(requests));
			await new Promise((resolve) => setTimeout(resolve, 50));
		}
		await Promise.all(pending);
		const junkSent = runner.sandbox.codes().filter(({ to }) => to.startsWith('95979')).length;
		const percent = minutes.map(({ asked, verified }) => Math.round((100 * verified) / asked));
		console.info({ junk, addresses, requests, visitors, junkSent, percent });
		return { percent, junkSent };
	};

	test(
		'a website lets in everybody beside two junk requests a second from one visitor',
		async () => {
			const { percent, junkSent } = await flood(await openWebsite(), { junk: 2, addresses: 1 });
			expect(Math.min(...percent)).toBe(100);
			expect(junkSent).toBeLessThanOrEqual(5);
		},
		longestRunMs,
	);

	const rows: Array<[number, number, boolean, number, number]> = [
		[2, 1, false, 100, 5],
		[20, 1, true, 95, 5],
		[20, 100, true, 95, 500],
	];
	// Behind nginx, a flood is one of time.
	describe.each(rows.slice(0, floodMinutes > 0 ? undefined : 1))(
		'the sign-in page, at %i junk requests a second from %i addresses',
		(...row) => {
			const [junk, addresses, isBehindNginx, least, mostSent] = row;
			(isBehindNginx && !hasNginx ? test.skip : sinceN8n2('data tables').test)(
				`${isBehindNginx ? 'behind nginx ' : ''}lets in ${least} % in every minute`,
				async () => {
					const proxy = isBehindNginx ? await startProxy(n8n.url) : undefined;
					try {
						const door = await openPage(proxy?.url ?? n8n.url);
						const { percent, junkSent } = await flood(door, { junk, addresses });
						expect(Math.min(...percent)).toBeGreaterThanOrEqual(least);
						expect(junkSent).toBeLessThanOrEqual(mostSent);
					} finally {
						await proxy?.close();
					}
				},
				longestRunMs,
			);
		},
	);

	sinceN8n2('forms as the examples use them').test(
		`${visits} visits of the form leave nothing behind in the heap of n8n`,
		async () => {
			const open = await runner.publishForm('otp-on-a-form-complete');
			let verified = 0;
			const visit = async (n: number) => {
				const visitor = await open();
				await visitor.submit({ 'field-0': numberOf(n) });
				const to = `959${numberOf(n).slice(2)}`;
				const code =
					runner.sandbox
						.codes()
						.filter((one) => one.to === to)
						.at(-1)?.code ?? '';
				if (!visitor.html.includes('We have sent a code')) return;
				await visitor.submit({ 'field-0': code, 'field-1': '["Check this code"]' });
				if (visitor.html.includes('is verified')) verified += 1;
			};
			const warmUp = 6;
			// Every number is typed in two visits; the second one is asked to wait.
			const numberOfVisit = (n: number) => Math.floor(n / 2);
			await callAll(warmUp, visitorsAtOnce, async (n) => await visit(1000 + n));
			const before = await readMemory();
			await callAll(visits, visitorsAtOnce, async (n) => await visit(numberOfVisit(n)));
			// What nobody holds goes some time later.
			const after = await until(
				async () => {
					const memory = await readMemory();
					return memory.heapMB - before.heapMB < 150 ? memory : undefined;
				},
				{ what: 'the heap of n8n to be cleared up', everyMs: 1_000 },
			);
			// The resident memory, which grows with the visits, lies outside of the heap: reported, not held.
			console.info(`memory of n8n before and after ${visits} visits:`, before, after);
			expect(Math.max(...countByNumber())).toBeLessThanOrEqual(mostPerNumber());
			expect(verified).toBeGreaterThanOrEqual(warmUp + visits / 2);
		},
		longestRunMs,
	);
});
