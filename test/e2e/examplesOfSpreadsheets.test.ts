import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { readExample } from '../../scripts/n8n/examples';
import { projectFolder } from '../../scripts/n8n/paths';
import { ExampleRunner, formLogin } from '../support/e2e/ExampleRunner';
import { forBuilders } from '../support/e2e/visitForm';
import { sinceN8n2 } from '../support/e2e/sinceN8n2';

const name = 'bulk-from-spreadsheet';

sinceN8n2('forms as the examples use them').describe('bulk-from-spreadsheet', () => {
	let runner: ExampleRunner;
	beforeAll(async () => {
		runner = await ExampleRunner.open();
	});
	beforeEach(async () => await runner.reset());
	afterAll(async () => await runner?.close());

	const upload = async (content: string | string[], changes = {}) => {
		const text = [content].flat().join('\n');
		const file = new File([text], 'customers.csv', { type: 'text/csv' });
		const visitor = await runner.visit(name, changes, formLogin);
		await visitor.submit({ 'field-0': file });
		expect(visitor.text).not.toMatch(forBuilders);
		// Names of the node's fields and of n8n, which the person who uploads never saw.
		expect(visitor.text).not.toMatch(/\bTo (is|has)\b|Max Parts|Max Messages|Sender ID|\bitem\b/);
		return visitor.text;
	};
	const sent = () => runner.sandbox.messages().map(({ to, message }) => [to, message]);

	test('sends every row, and says how many were accepted, and which were rejected', async () => {
		const page = await upload([
			'phone,name',
			'09791234561,Aye',
			'nobody,Bo',
			'+95 9 791-234-563,Cho',
			'09000000011,Dewi',
			',Ei',
			'9791234567,Fo',
		]);
		expect(page).toContain('2 accepted, 4 rejected, 0 unknown');
		expect(page).toContain('do not upload these rows again, or the messages are sent twice');
		expect(page).toContain('upload a file with only these');
		const [wrong, rejected] = page.split('Right in the file, but not sent');
		expect(wrong).toContain('Wrong in the file, not sent');
		expect(wrong).toContain('Row 3, nobody: this is not a phone number');
		expect(wrong).toContain('Row 7, 9791234567: the leading 0 is missing');
		expect(wrong).toContain('Row 6, no number: this is not a phone number');
		expect(rejected).toContain('Row 5, 09000000011: the service rejected it');
		expect(page).not.toContain('Unknown:');
		expect(sent()).toEqual([
			['959791234561', 'Hello Aye, our shop is open on Sunday.'],
			['959791234563', 'Hello Cho, our shop is open on Sunday.'],
		]);
	});

	test('sends the sample file, but for the row that is wrong on purpose', async () => {
		const page = await upload(readFileSync(join(projectFolder, 'examples/customers.csv'), 'utf8'));
		expect(page).toContain('3 accepted, 1 rejected, 0 unknown');
		expect(page).toContain('Row 5, 9791234564: the leading 0 is missing');
	});

	test('keeps apart what nobody knows the outcome of, and asks not to upload it again', async () => {
		const path = '/rest/send/bulk';
		const match = { path, contains: '959791234562' };
		runner.sandbox.addFault({ match, when: 'after', effect: 'cut' });
		runner.sandbox.addFault({ match: { path: '/rest/messages' }, effect: { status: 403 } });
		const { nodes } = readExample(name);
		const { options } = nodes.find((node) => node.name === 'Send messages')?.parameters ?? {};
		const oneByOne = { options: { ...(options as object), recipientsPerRequest: 1 } };
		const rows = ['phone,name', '09791234561,Aye', '09791234562,Bo', 'nobody,Cho'];
		const page = await upload(rows, { 'Send messages': oneByOne });
		expect(page).toContain('1 accepted, 1 rejected, 1 unknown');
		expect(page).toMatch(/Wrong in the file.*\nRow 4, nobody: this is not/);
		expect(page).toMatch(/Unknown:.*Do not upload them again\..*\nRow 3, 09791234562\b/);
		expect(runner.sandbox.messages()).toHaveLength(2);
	});

	test.each([
		['nothing but a header', 'phone,name'],
		['nothing but a header and empty rows', 'phone,name\n,\n ,'],
		['nothing at all in it', '\n'],
	])('says of a file with %s that it has no rows', async (_, content) => {
		const page = await upload(content);
		expect(page).toContain('Nothing was sent');
		expect(page).toContain('The file has no rows below the column names');
	});

	test.each([
		['phone;name\n09791234561;Aye', '"phone;name"'],
		['Mobile,Customer\n09791234561,Aye', '"mobile", "customer"'],
		['09791234561,Aye\n09791234562,Bo', '"09791234561", "aye"'],
	])('names the columns that it found in %j', async (content, columns) => {
		const page = await upload(content);
		expect(page).toContain('Nothing was sent');
		expect(page).toContain(`It contains ${columns}.`);
		expect(runner.sandbox.requests()).toEqual([]);
	});

	test.each([
		['a row that breaks off', 'phone,name\n09791234561,Aye\n"09791234562,Bo'],
		['a row with too many cells', 'phone,name\n09791234561,Aye\n09791234562,Bo,Yangon'],
	])('sends nothing of a file with %s', async (_, content) => {
		expect(await upload(content)).toContain('The file could not be read.');
		expect(runner.sandbox.requests()).toEqual([]);
	});

	test('reads what spreadsheets write: a byte order mark, capitals, spaces, and rows left empty', async () => {
		const page = await upload(['\uFEFF Phone ,NAME', ',', '09791234561, Aye ', ',', 'nobody,Bo']);
		expect(page).toContain('1 accepted, 1 rejected, 0 unknown');
		expect(page).toContain('Row 5, nobody');
		expect(sent()).toEqual([['959791234561', 'Hello Aye, our shop is open on Sunday.']]);
	});

	test('opens for nobody without its login, and costs what it may', async () => {
		const visitor = await runner.visit(name, {}, formLogin);
		const rows = ['phone,name', `09791234561,${'x'.repeat(5_000)}`];
		const file = new File([rows.join('\n')], 'customers.csv', { type: 'text/csv' });
		await visitor.submit({ 'field-0': file });
		// n8n registers a form for GET before it does so for POST; by now both are there.
		const form = readExample(name).nodes.find(({ type }) => type.endsWith('.formTrigger'));
		const url = `${runner.n8n.url}/form/${runner.addressOf(form?.webhookId ?? '')}`;
		expect((await runner.n8n.api.http.get(url)).status).toBe(401);
		expect((await runner.n8n.api.http.post(url, new FormData())).status).toBe(401);
		expect(runner.sandbox.messages()).toMatchObject([{ messageCount: 1 }]);
	});
});
