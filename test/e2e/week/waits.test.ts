import { linkIn, open, press } from '../../support/e2e/questions';
import { sinceN8n2 } from '../../support/e2e/sinceN8n2';
import { assign } from '../../support/e2e/setNode';
import { Week } from '../../support/e2e/Week';

const websiteKey = { name: 'X-Api-Key', value: 'of-the-website' };
const owner = '09790000001';
const phoneOf = (n: number) => `0979300${1_000 + n}`;

sinceN8n2('data table as example 28 uses it').describe('a week of waiting', () => {
	let week: Week;
	beforeAll(async () => {
		week = await Week.open({ httpHeaderAuth: websiteKey });
		week.runner.sandbox.configure({ balance: 1_000_000, pace: 0 });
	});
	afterAll(async () => await week?.close());

	const sentTo = (number: string) =>
		week.runner.sandbox.messages().filter(({ to }) => to.endsWith(number.slice(1)));
	const emailsTo = (name: string) =>
		week.runner.mailbox.mails.filter((mail) => mail.includes(`To: ${name}@example.com`));

	/** Example 04 for a customer. @returns the workflow and its message */
	const sendAndWait = async (n: number) => {
		const values = { phone: phoneOf(n), email: `customer-${n}@example.com`, text: `Order ${n}.` };
		const example = week.take('email-when-not-delivered');
		const { id } = await week.runner.import(example, { Customer: assign(values) });
		await week.n8n.api.runManually(id, 'Start');
		return id;
	};

	/** Of the last question with this text. */
	const findLink = (text: string) => {
		const { sandbox } = week.runner;
		const found = sandbox.messages().map(({ message }) => message.includes(text));
		return linkIn(sandbox, found.lastIndexOf(true));
	};

	test('asks and tells once, over a kill, an hour without mail and one without service, and late receipts', async () => {
		const { runner, n8n } = week;
		const { sandbox } = runner;
		// 04: delivered, failed, and two whose receipts nobody gets before the kill.
		const customers = await Promise.all([0, 1, 2, 3].map(sendAndWait));
		// 21: approved, declined, approved while the service is away, and still open.
		const refunds = await runner.activate(week.take('refund-approval'));
		const headers = { [websiteKey.name]: websiteKey.value };
		for (const order of [10, 11, 12, 13]) {
			const body = { order: String(order), amount: 45_000, phone: phoneOf(order) };
			expect((await runner.call('refunds/ask', { body, headers })).status).toBe(200);
		}
		const ids = [...customers, refunds.id];
		await week.untilThere('waiting', 8, ids);

		runner.isMailDown = true;
		await n8n.crash();

		const messageTo = (n: number) => sentTo(phoneOf(n))[0].messageId;
		for (const [n, status] of ['Delivered', 'Failed', 'Undelivered'].entries()) {
			if (n === 2) await sandbox.setStatus(messageTo(n), 'Sent');
			await sandbox.setStatus(messageTo(n), status);
			await sandbox.repeatReceipt(messageTo(n));
		}
		await week.untilThere('error', 2, customers);
		expect(runner.mailbox.mails).toEqual([]);
		runner.isMailDown = false;
		await week.retry(customers, 'error');

		for (const [order, response] of [
			['အော်ဒါ 10 ', 'approve'],
			['အော်ဒါ 11 ', 'decline'],
		]) {
			const link = findLink(order);
			await press(link, { response });
			// Who presses again changes nothing.
			await press(link, { response: 'approve' });
		}
		await week.untilThere('waiting', 2, [refunds.id]);
		await runner.disconnect();
		await press(findLink('အော်ဒါ 12 '), { response: 'approve' });
		await week.untilThere('error', 1, [refunds.id]);
		await runner.reconnect();
		await week.retry([refunds.id], 'error');

		await week.until('the customers to be told', async () => {
			const told = [10, 11, 12].every((n) => sentTo(phoneOf(n)).length > 0);
			return (told && emailsTo('customer-1').length > 0) || undefined;
		});
		const counts = await week.statusesOf(ids);
		const report = await week.readReport();
		console.info('a week of waiting', {
			...{ counts, sms: sandbox.messages().length, retried: week.retried.size },
			report: /\d+ failed executions/.exec(report)?.[0],
		});
		expect([0, 1, 2, 3].map((n) => sentTo(phoneOf(n)).length)).toEqual([1, 1, 1, 1]);
		const texts = [10, 11, 12, 13].map((n) => sentTo(phoneOf(n)).map(({ message }) => message));
		expect(texts).toEqual([
			[expect.stringContaining('45,000 ကျပ် ပြန်အမ်းပြီးပါပြီ')],
			[expect.stringContaining('ငွေပြန်အမ်း၍ မရပါ')],
			[expect.stringContaining('45,000 ကျပ် ပြန်အမ်းပြီးပါပြီ')],
			[],
		]);
		expect(sentTo(owner)).toHaveLength(4);
		expect([0, 1, 2, 3].map((n) => emailsTo(`customer-${n}`).length)).toEqual([0, 1, 1, 0]);
		// What was still open at the kill is open after it: a receipt and a response.
		expect(counts.waiting).toBe(2);
		expect((await open(findLink('အော်ဒါ 13 '))).data).toContain('အော်ဒါ 13');
		expect(report).toContain('failed executions');
		expect(report).toContain('Starts of n8n: 1.');
	});
});
