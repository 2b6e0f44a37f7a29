import { callAll } from '../../support/e2e/callAll';
import { hasServers, never, rewrite, Week } from '../../support/e2e/Week';
import { sinceN8n2 } from '../../support/e2e/sinceN8n2';

/** A whole week has 10,000 visits. */
const visits = Number(process.env.WEEK_VISITS ?? 100);
const websiteKey = { name: 'X-Api-Key', value: 'of-the-website' };
const megabyte = 1024 * 1024;

sinceN8n2('data table as the examples use it').describe('a week of visitors', () => {
	let week: Week;
	let pageId: string;
	beforeAll(async () => {
		week = await Week.openWithServers({ httpHeaderAuth: websiteKey });
		week.runner.sandbox.configure({ balance: 1_000_000 });
		const limit = { 'Send code': { safeguards: { maxPerHour: 20 } } };
		const page = await week.runner.activate(week.take('sign-in-page'), limit, { saveAll: false });
		pageId = page.id;
	});
	afterAll(async () => await week?.close());

	const lastCode = (to: string) =>
		week.runner.sandbox
			.codes()
			.filter((code) => code.to.endsWith(to.slice(1)))
			.at(-1)?.code ?? '';
	const wrong = (code: string) => (code.startsWith('1') ? '222222' : '111111');

	/** @returns submits what a visitor types on the page, with its hidden fields */
	const openPage = async () => {
		let html = '';
		const load = async (request: object) => {
			const { status, data } = await week.runner.call('sign-in-page', request);
			expect(status).toBe(200);
			html = String(data);
			return html;
		};
		await load({ method: 'GET' });
		return async (typed: Record<string, string>) => {
			const [form = ''] = html.match(/<form[^]*?<\/form>/) ?? [];
			const hidden = [...form.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)];
			const fields = Object.fromEntries(hidden.map(([, name, value]) => [name, value]));
			const body = new URLSearchParams({ ...fields, ...typed }).toString();
			const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
			return await load({ method: 'POST', body, headers });
		};
	};

	test('lets in the one with a typo, waits for nobody, and bounds the one with fifty numbers', async () => {
		const { runner } = week;
		const typo = await openPage();
		await typo({ phone: '09791234567' });
		expect(await typo({ code: wrong(lastCode('09791234567')) })).toContain('Attempts left: 4.');
		expect(await typo({ code: lastCode('09791234567') })).toContain('is verified');

		const givesUp = await openPage();
		await givesUp({ phone: '09791234568' });

		const pages = await callAll(50, 5, async (n) => {
			const submit = await openPage();
			return await submit({ phone: `0979200${1_000 + n}` });
		});
		const refused = pages.filter((html) => html.includes('only a few codes'));
		expect(runner.sandbox.codes()).toHaveLength(20);
		expect(refused).toHaveLength(32);
		// What was sent before still counts.
		expect(await givesUp({ code: lastCode('09791234568') })).toContain('is verified');
		expect(await week.statusesOf([pageId])).toEqual({});
	});

	describe('over a kill', () => {
		const headers = { [websiteKey.name]: websiteKey.value };
		const phone = '09794001000';
		const askForCode = async () =>
			(await week.runner.call('codes/request', { body: { phone }, headers })).status;
		/** The example that counts in Redis counts in slots of ten minutes. */
		const slot = () => Math.floor(Date.now() / 600_000);
		let begun: number;
		let statuses: number[] = [];
		let watchedId: string;

		beforeAll(async () => {
			const { runner, n8n } = week;
			const example = week.take('codes-nobody-enters');
			const watched = rewrite(example, [['minutes: 2 })', 'seconds: 0 })']]);
			const { id } = await runner.activate(watched, { 'Every minute': never });
			watchedId = id;
			await runner.execute({ id } as never, 'Start once');
			const request = async (one: string) =>
				await runner.call('watched/request-code', { body: { phone: one }, headers });
			await callAll(60, 5, async (n) => await request(`0979300${1_000 + n}`));
			if (hasServers) {
				await runner.activate(week.take('otp-limits-in-redis'), {}, { saveAll: false });
				begun = slot();
				statuses = await callAll(5, 1, askForCode);
			}
			await n8n.crash();
		});

		test('sounds the alarm for numbers that nobody verifies, once, and also without mail', async () => {
			const { runner, n8n } = week;
			const count = async () =>
				await n8n.api.finishedExecution(await n8n.api.runManually(watchedId, 'Every minute'));
			const before = runner.mailbox.mails.length;
			runner.isMailDown = true;
			await count();
			runner.isMailDown = false;
			await count();
			const alarms = runner.mailbox.mails.slice(before);
			expect(alarms).toEqual([expect.stringMatching(/Only 0 of the 60 codes/)]);
		});

		(hasServers ? test : test.skip)(
			'counts codes in Redis, and sends none that it cannot count',
			async () => {
				const { sandbox } = week.runner;
				statuses.push(await askForCode());
				if (slot() === begun) expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
				const sent = sandbox.codes().length;
				await week.servers[0].close();
				expect(await askForCode()).toBeGreaterThanOrEqual(500);
				expect(sandbox.codes()).toHaveLength(sent);
			},
		);
	});

	test('keeps the memory of the sign-in page where it was', async () => {
		/** Each visit opens the page, types a number that gets no code, and a code. */
		const visitMany = async (count: number) => {
			await callAll(count, 5, async () => {
				const submit = await openPage();
				await submit({ phone: '12' });
			});
			// The lowest of several readings: garbage comes and goes.
			const readings = await callAll(5, 1, async () => {
				await new Promise((resolve) => setTimeout(resolve, 500));
				return await week.memory();
			});
			return {
				heap: Math.min(...readings.map(({ heap }) => heap)) / megabyte,
				resident: Math.min(...readings.map(({ resident }) => resident)) / megabyte,
			};
		};
		const first = await visitMany(Math.round(visits / 4));
		const last = await visitMany(Math.round((visits * 3) / 4));
		console.info('memory of the sign-in page, in MB', { visits, first, last });
		// A form with pages keeps 12 MB for each visit. Garbage that n8n has not collected was up to 210 MB.
		expect(last.heap - first.heap).toBeLessThan(600);
	}, 3_600_000);
});
