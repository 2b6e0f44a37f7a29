import { statSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';

import { startSandbox, type Sandbox } from '../../../sandbox';
import { openDemoState, saveDemoState } from '../../../scripts/demo/demoContent';
import { type Mailbox, readMail, showInInbox, startMailbox } from '../../../scripts/demo/mailbox';
import { useFolder } from '../../support/useFolder';

describe('the state of the demo', () => {
	const at = useFolder();

	test('has a password of its own in every folder, which n8n accepts', () => {
		const passwords = Array.from({ length: 50 }, (_, n) => openDemoState(at(`${n}`)).password);
		expect(new Set(passwords).size).toBe(50);
		for (const password of passwords) expect(password).toMatch(/^(?=.*\d)(?=.*[A-Z]).{16,64}$/);
	});

	test('keeps the password, and what was set up, over restarts', () => {
		const folder = at('.state');
		const state = openDemoState(folder);
		state.examples['a.json'] = '7';
		saveDemoState(state, folder);
		expect(openDemoState(folder)).toEqual(state);
	});

	const onPosix = process.platform === 'win32' ? test.skip : test;
	onPosix('is for nobody else on the computer to read', () => {
		const folder = at('.state');
		openDemoState(folder);
		expect(statSync(folder).mode & 0o777).toBe(0o700);
		expect(statSync(join(folder, '.n8n/demo.json')).mode & 0o777).toBe(0o600);
	});
});

describe('readMail', () => {
	const head = ['From: Shop <shop@example.com>', 'To: aye@example.com', 'Date: Sat, 21 Nov 2026'];
	const mail = (...lines: string[]) => readMail([...head, ...lines].join('\r\n'));

	test('reads the text beside HTML, and the HTML', async () => {
		const parts = ['--b1', 'Content-Type: text/html', '', '<b>Hi</b>', '--b1'];
		const text = ['Content-Type: text/plain; charset=utf-8', '', 'Hi', '--b1--', ''];
		const type = 'Content-Type: multipart/alternative; boundary="b1"';
		expect(await mail(type, '', ...parts, ...text)).toMatchObject({
			text: 'Hi',
			html: '<b>Hi</b>',
		});
		expect((await mail(type, '', ...parts.slice(0, -1), '--b1--')).text).toBe('<b>Hi</b>');
	});
});

/** Speaks SMTP line by line, each after the answer to the one before. */
async function sendMail(port: number, lines: string[]): Promise<void> {
	const socket = connect(port, '127.0.0.1');
	const say = ['EHLO test', 'MAIL FROM:<a@example.com>', 'RCPT TO:<b@example.com>', 'DATA'];
	const all = [...say, [...lines, '.'].join('\r\n'), 'QUIT'];
	for await (const answer of socket) {
		expect(String(answer)).toMatch(/^[23]/);
		const next = all.shift();
		if (next !== undefined) socket.write(`${next}\r\n`);
	}
}

describe('the demo mail server', () => {
	let sandbox: Sandbox;
	let mailbox: Mailbox;
	beforeAll(async () => {
		sandbox = await startSandbox();
		mailbox = await startMailbox(showInInbox(`${sandbox.url}/_sandbox`));
	});
	afterAll(async () => {
		await mailbox.close();
		await sandbox.close();
	});

	test('come into the inbox as they were written', async () => {
		const head = ['From: Shop <shop@example.com>', 'To: aye@example.com'];
		await sendMail(mailbox.port, [...head, 'Subject: Your order', '', 'Tea & <b>cake</b>']);
		expect(sandbox.mails()).toMatchObject([
			{
				from: 'Shop <shop@example.com>',
				to: 'aye@example.com',
				subject: 'Your order',
				text: 'Tea & <b>cake</b>',
			},
		]);
	});

	test('that are long are cut, and say so', async () => {
		await sendMail(mailbox.port, ['Subject: Long', '', ...Array(60_000).fill('မင်္ဂလာပါ')]);
		const { to, text } = sandbox.mails().at(-1)!;
		expect([to, text.slice(-30)]).toEqual([
			'(nobody)',
			expect.stringMatching(/\n\(\d+ characters in all\)$/),
		]);
	});

	test('stay in the mailbox while the inbox rejects them', async () => {
		const refusing = await startMailbox(() => Promise.reject(new Error('no inbox')));
		await expect(sendMail(refusing.port, ['', 'Hello'])).rejects.toThrow(/\[23\]/);
		expect(refusing.mails).toEqual([]);
		await refusing.close();
	});
});
