import { createHash } from 'node:crypto';
import { httpClient } from '../../../scripts/http';
import { numbers, useReceiver, useSandbox } from '../../support/sandbox/harness';
import { processorMs } from '../../support/unit/processorTime';

describe('the page of the sandbox', () => {
	const sandbox = useSandbox({ apiKey: 'visible-key', apiSecret: 'hidden-secret' });
	const receiver = useReceiver();

	const open = (path = '') => sandbox.readPage(path);
	const openMessage = (index: number) =>
		open(`/messages/${sandbox.messages().at(index)!.messageId}`);
	const expectTexts = (page: string, texts: string[]) => {
		for (const text of texts) expect(page).toContain(text);
	};
	const readRows = (page: string) =>
		page.match(/<tr>[^]+?<\/tr>/g)!.map((row) => row.replace(/(<[^>]+>|\s)+/g, ' ').trim());
	const secrets = () => ['hidden-secret', sandbox.token, 's3cret', 'k3y', 's3nd'];
	const secret = { deliveryReceiptUrl: 'http://127.0.0.1:9/hook?secret=s3cret', encrypt: 1 };
	const encryptKey = 'k3y"s3nd';

	test('opens at the root too, and says when there is nothing', async () => {
		const { data, request } = await httpClient.get<string>(sandbox.url);
		expect(request.path).toBe('/_sandbox');
		expect(data).toContain('Nothing yet.');
		// It refreshes without a script too.
		expect(data).toMatch(/<noscript><meta http-equiv="refresh"/);
	});

	test('shows messages and codes, newest first, with what matters about them', async () => {
		await sandbox.send({ message: 'first', clientReference: 'ref-1' });
		await sandbox.send({ message: 'second', to: '+6591234567' });
		await sandbox.requestCode({ to: 'thida@example.com' });
		const page = await open();
		expect(page.indexOf('second')).toBeLessThan(page.indexOf('first'));
		const { code, requestId } = sandbox.codes()[0]!;
		const texts = ['ref-1', '6591234567', 'Accepted', '999,830 MMK', code, String(requestId)];
		expectTexts(page, texts);
	});

	test('has links of messages to open, whole also where the text is cut', async () => {
		const link = 'http://127.0.0.1:5678/webhook-waiting/1/node?q=a&signature=b';
		await sandbox.send({ message: `Refund?\n${link}` });
		await sandbox.send({ message: `${'Refund? '.repeat(60)}\n${link}` });
		await sandbox.send({ message: 'javascript:alert(1) "><http://x">' });
		const page = await open();
		const anchor = `<a href="${link.replace('&', '&amp;')}" rel="noreferrer" target="_blank">`;
		expect(page.replace(/\s+/g, ' ').split(anchor)).toHaveLength(3);
		expect(page).not.toMatch(/href="javascript|"><http/);
		expect(await openMessage(0)).toContain(anchor);
	});

	test('escapes everything that comes from outside', async () => {
		const evil = `</script><script>alert(1)</script><img src=x onerror="alert('2')">`;
		await sandbox.send({ message: evil, from: evil, clientReference: '"><b>' });
		await sandbox.setStatus(sandbox.messages()[0]!.messageId, '<i>');
		await sandbox.requestCode({ to: `"<x>"@example.com`, brand: evil, from: evil });
		const page = await open(`?q=${encodeURIComponent(evil)}`);
		expect(page).toContain('&lt;script&gt;alert(1)');
		expect(page).not.toMatch(/<script>alert|<img|<b>|<i>|<x>/);
	});

	test('allows no foreign resource, and only its own script', async () => {
		const { data, headers } = await httpClient.get<string>(`${sandbox.url}/_sandbox`);
		const policy = String(headers['content-security-policy']);
		expect(policy).toContain("default-src 'none'");
		for (const name of ['script', 'style']) {
			const [, text = ''] = new RegExp(`<${name}>([^]*?)</${name}>`).exec(data) ?? [];
			const hash = createHash('sha256').update(text).digest('base64');
			expect(policy).toContain(`${name}-src 'sha256-${hash}'`);
		}
		expect(data).not.toMatch(/https?:\/\//);
	});

	test('opens a message: parts, price, history, receipts, request and response', async () => {
		receiver.statuses.push(503);
		sandbox.configure({ receiptRetryMs: 1 });
		const text = 'မင်္ဂလာပါ';
		const deliveryReceiptUrl = `${receiver.url}/hook?secret=s3cret`;
		await sandbox.send({ message: text, deliveryReceiptUrl, clientReference: 'ref-1', test: 0 });
		await sandbox.send({ ...secret, encryptKey });
		await sandbox.pass();
		const message = await openMessage(0);
		expectTexts(message, [text, 'UCS-2, 1 part', '20 MMK', 'ref-1', 'Telenor']);
		const time = String.raw`\d{4}-\d\d-\d\d \d\d:\d\d:\d\d`;
		const url = `${receiver.url}/hook?***`;
		expect(readRows(message)).toEqual([
			'Time Status',
			...['Accepted', 'Sent', 'Delivered'].map((one) => expect.stringMatching(`^${time} ${one}$`)),
			'Status Attempt Receiver Response',
			...[`Sent 1 ${url} 503`, `Sent 2 ${url} 200`, `Delivered 1 ${url} 200`],
		]);
		expectTexts(message, ['POST /api/rest/send', 'authorization: Bearer ***']);
		const encrypted = await openMessage(1);
		expect(encrypted).toContain('&quot;encryptKey&quot;: &quot;***&quot;');
		const receipts = await open('?view=receipts');
		expect(receipts).toContain('/hook?***, attempt 1');
		const shown = message + encrypted + receipts + (await open());
		expect(secrets().filter((one) => shown.includes(one))).toEqual([]);
	});

	test('masks the secrets that an echoed request repeats in its response, cut off or not', async () => {
		sandbox.addFault({ effect: 'echo' });
		await sandbox.send({ ...secret, encryptKey });
		await sandbox.send({ ...secret, encryptKey, message: 'x'.repeat(1_900) });
		await sandbox.requestCode();
		for (const { number, answer, rawQuery } of sandbox.requests()) {
			const page = await open(`/requests/${number}`);
			expect(page).toContain('failed: ');
			const token = /accessToken=([^&]+)/.exec(rawQuery)?.[1] ?? sandbox.token;
			expect(answer).toContain(token);
			expect([token, ...secrets()].filter((one) => page.includes(one))).toEqual([]);
		}
	});

	test('keeps the beginning of a long response, and opens every message of a bulk request by it', async () => {
		await sandbox.sendBulk([{ to: numbers(50), message: 'bulk', from: 'Shop' }]);
		expect(sandbox.requests()[0]!.answer).toMatch(/ \.\.\. \(1\d{4} characters in all\)$/);
		expect(await openMessage(-1)).toContain('POST /api/rest/send/bulk');
	});

	test('opens a code: its text, what is left of it, and every request about it', async () => {
		const { data: otp } = await sandbox.requestCode({ ttl: '60' });
		await sandbox.verifyCode({ requestId: String(otp.requestId), code: 'x' });
		const page = await open(`/codes/${otp.requestId}`);
		expect(page).toMatch(/data-seconds="(59|60)"/);
		expectTexts(page, [sandbox.codes()[0]!.message, '5 of 6', 'accessToken=***']);
		expect(page.match(/as received/g)).toHaveLength(2);
	});

	test('shows what was rejected first-class: with the reason, the request and the response', async () => {
		await sandbox.call({ method: 'GET', path: '/rest/messages', token: 'wrong-token' });
		await sandbox.send({ to: '12345', message: 'plums' });
		await sandbox.send({ to: '09000000011' });
		sandbox.addFault({ effect: 'cut' });
		await sandbox.send().catch(() => undefined);
		const credentials = 'Your request was made with invalid credentials.';
		const page = await open();
		expectTexts(page, [credentials, 'before: cut', '12345', 'To is not a valid mobile number.']);
		expect(page).toContain('Rejected inside a 2xx (1 of 1): Invalid Sender ID');
		expect(page.match(/href="\/_sandbox\/requests\//g)).toHaveLength(4);
		const details = await open('/requests/1');
		expectTexts(details, ['GET /api/rest/messages', credentials]);
		expect(details).not.toContain('wrong-token');
		expect(await open('?view=messages')).toContain('Nothing yet.');
		expect(await open('?q=plums')).toContain('To is not a valid mobile number.');
	});

	test.each([
		...['09779123456', '+95 9779-123-456', '959779', '0977 912', '123456', '00959779123456'],
		...['APPLE', 'ORDER-7'],
	])('finds a number, text or reference that is typed as %s', async (typed) => {
		await sandbox.send({ message: 'apples', clientReference: 'order-7' });
		await sandbox.send({ to: '09254000000', message: 'pears' });
		const page = await open(`?q=${encodeURIComponent(typed)}`);
		expect(page).toContain('apples');
		expect(page).not.toContain('pears');
	});

	test('has one time line: 200 codes do not hide the message behind them', async () => {
		await sandbox.send({ message: 'older' });
		const to = 'thida@example.com';
		for (let sent = 0; sent < 199; sent += 1) await sandbox.requestCode({ to });
		await sandbox.send({ message: 'newer' });
		const page = await open();
		expect(page.indexOf('newer')).toBeLessThan(page.indexOf(to));
		expectTexts(await open('?view=messages'), ['older', 'newer']);
	});

	test('stays fast, and so does everything else, whatever was posted', async () => {
		for (let sent = 0; sent < 30; sent += 1) {
			const body = Buffer.from(`${sent} is not JSON ${'x'.repeat(900_000)}`);
			await sandbox.post('/rest/send', body);
		}
		for (const path of ['?view=requests', '?q=nothing', '?q=JSON']) {
			const rounds: number[] = [];
			for (let round = 0; round < 3; round += 1) {
				rounds.push(await processorMs(() => open(path)));
			}
			// The best of them: the first compiles, and any can meet a collection of garbage.
			expect([path, Math.min(...rounds) < 100]).toEqual([path, true]);
		}
	});

	test('goes on to older entries page by page, with the filter', async () => {
		sandbox.seedMessages(450);
		const readLinks = (page: string) =>
			[...page.matchAll(/<a href="([^"]+)"\s*>(Newer|Older)</g)].map(([, href, title]) => [
				title,
				href,
			]);
		const second = '/_sandbox?view=messages&q=seeded&page=2';
		expect(readLinks(await open('?view=messages&q=seeded'))).toEqual([['Older', second]]);
		const last = await open('?view=messages&q=seeded&page=3');
		expect(readLinks(last)).toEqual([['Newer', second]]);
		expectTexts(last, ['401 to 450 of 450', 'Seeded message 1<']);
		expect(last).not.toContain('Seeded message 51<');
		for (const page of ['0', '-1', 'x', '99']) await open(`?page=${page}`);
	});

	test('lists the special numbers, those of the settings too', async () => {
		sandbox.configure({ numbers: { 959779000001: { statuses: ['Sent', 'Failed'] } } });
		const rows = readRows(await open('/numbers'));
		expect(rows).toHaveLength(1 + 1 + 19);
		expect(rows).toContain('09779000001 Accepted, Sent, Failed');
		expect(rows).toContain('09000000012 Accepted, Sent, Delivered every receipt comes twice');
		expect(rows).toContain('09000000018 none the whole request is rejected with 400');
		expect(await open()).toContain('href="/_sandbox/numbers"');
	});

	test('is of a bearable size however many and long the messages are, and opens each in full', async () => {
		sandbox.seedMessages(10_000);
		const message = `${'long '.repeat(10_000)}end`;
		for (let sent = 0; sent < 20; sent += 1) await sandbox.send({ message });
		const page = await open();
		expectTexts(page, ['1 to 200 of 10,020', 'long ... (50003 characters in all)']);
		expect(page.length).toBeLessThan(300_000);
		expect(await openMessage(-1)).toContain(message);
	});

	test('shows the beginning of a very long request, and how long it is', async () => {
		await sandbox.sendBulk([{ to: [...numbers(50_000), '1'], message: 'x', from: 'Shop' }]);
		const page = await open('/requests/1');
		expect(page.length).toBeLessThan(300_000);
		expect(page).toMatch(/ \.\.\. \(\d{7} characters in all\)/);
	});
});
