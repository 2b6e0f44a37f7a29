import { callAll } from '../../support/e2e/callAll';
import { hasServers, never, rewrite, Week } from '../../support/e2e/Week';
import { sinceN8n2 } from '../../support/e2e/sinceN8n2';
import { PageVisitor } from '../../support/e2e/visitPage';

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
		// Codes are counted at once that the example gives two minutes to be typed.
		const example = rewrite(week.take('sign-in-page'), [['>= 120_000', '>= 0']]);
		const changes = {
			'Send code': { options: { channel: 'sms', maxPerHour: 60 } },
			'Every minute': never,
		};
		const page = await week.runner.activate(example, changes, { saveAll: false });
		pageId = page.id;
	});
	afterAll(async () => await week?.close());

	const lastCode = (to: string) =>
		week.runner.sandbox
			.codes()
			.filter((code) => code.to.endsWith(to.slice(1)))
			.at(-1)?.code ?? '';
	const wrong = (code: string) => (code.startsWith('1') ? '222222' : '111111');

	/** @returns submits what a visitor types on the page */
	const openPage = async () => {
		const page = await PageVisitor.openFor(week.runner);
		return async (typed: Record<string, string>) =>
			await page.submit('code' in typed ? 'code' : 'number', typed);
	};

	test('lets in the one with a typo, waits for nobody, and bounds the one with seventy numbers', async () => {
		const { runner } = week;
		const typo = await openPage();
		await typo({ phone: '09791234567' });
		expect(await typo({ code: wrong(lastCode('09791234567')) })).toContain('Attempts left: 4.');
		expect(await typo({ code: lastCode('09791234567') })).toContain('is verified');

		const givesUp = await openPage();
		await givesUp({ phone: '09791234568' });

		const pages = await callAll(70, 5, async (n) => {
			const submit = await openPage();
			return await submit({ phone: `0979${2_000 + n}000` });
		});
		const refused = pages.filter((html) => html.includes('Too many people'));
		// The one who was verified made room for half a code more.
		expect(runner.sandbox.codes()).toHaveLength(1 + 60);
		expect(refused).toHaveLength(70 - 59);
		// What was sent before still counts.
		expect(await givesUp({ code: lastCode('09791234568') })).toContain('is verified');
		// n8n deletes an execution that it does not keep some time after the response. A run by hand it keeps.
		const isGone = async () => {
			const saved = await week.n8n.api.executions(pageId);
			return saved.every(({ mode }) => mode === 'manual') || undefined;
		};
		await week.until('no saved execution', isGone);
	});

	describe('over a kill', () => {
		const headers = { [websiteKey.name]: websiteKey.value };
		const phone = '09794001000';
		const askForCode = async () =>
			(await week.runner.call('codes/request', { body: { phone }, headers })).status;
		/** The example that counts in Redis counts in slots of an hour. */
		const slot = () => Math.floor(Date.now() / 3_600_000);
		let begun: number;
		let statuses: number[] = [];

		beforeAll(async () => {
			const { runner, n8n } = week;
			if (hasServers) {
				await runner.activate(week.take('otp-limits-in-redis'), {}, { saveAll: false });
				begun = slot();
				statuses = await callAll(5, 1, askForCode);
			}
			await n8n.crash();
		});

		test('sounds the alarm for numbers that nobody verifies and for the limit, once, and also without mail', async () => {
			const { runner, n8n } = week;
			const count = async () =>
				await n8n.api.finishedExecution(await n8n.api.runManually(pageId, 'Every minute'));
			const before = runner.mailbox.mails.length;
			runner.isMailDown = true;
			await count();
			runner.isMailDown = false;
			await count();
			const alarms = runner.mailbox.mails.slice(before);
			expect(alarms).toEqual([
				expect.stringMatching(
					/2 of the 61 codes[^]*running up your bill[^]*limit maxPerHour was reached/,
				),
			]);
		});

		(hasServers ? test : test.skip)(
			'counts codes in Redis, and sends none that it cannot count',
			async () => {
				const { sandbox } = week.runner;
				statuses.push(await askForCode());
				// The node lets one through in 30 seconds, and has forgotten it since.
				if (slot() === begun) expect(statuses).toEqual([200, 429, 429, 429, 429, 429]);
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
