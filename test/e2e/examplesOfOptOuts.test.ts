import { attempt } from '../../nodes/shared/input/InputError';
import { normalizePhoneNumber, parseRecipients } from '../../nodes/shared/input/number';
import { toOptOuts } from '../../nodes/shared/options/optOuts';
import { readExample } from '../../scripts/n8n/examples';
import { ExampleRunner, inBurmese, withOwnTables } from '../support/e2e/ExampleRunner';
import { addLookalike, optOut } from '../support/e2e/dataTables';
import { rewrite } from '../support/e2e/Week';
import { spellings } from '../support/e2e/spellings';
import { forBuilders, type Answers, FormVisitor } from '../support/e2e/visitForm';
import { sinceN8n2 } from '../support/e2e/sinceN8n2';

const setUp = 'Once: create SMS opt-outs';
const noLink = '"name":"stopLink","value":""';
const withLink = (example: ReturnType<typeof readExample>, link = 'https://n8n.test') =>
	rewrite(example, [[noLink, noLink.replace('""', JSON.stringify(link))]]);

sinceN8n2('Data Table node that makes tables').describe('opt-outs', () => {
	let runner: ExampleRunner;
	beforeAll(async () => {
		runner = await ExampleRunner.open();
	});
	beforeEach(async () => await runner.reset());
	afterAll(async () => await runner?.close());

	test('skips people who pressed the button behind the link of a message', async () => {
		const { nodes } = readExample('opt-outs');
		const form = nodes.find(({ name }) => name === 'No more messages');
		const address = `${runner.n8n.url}/form/${form?.webhookId}`;
		const example = withLink(readExample('opt-outs'), address);
		const workflow = await runner.import(example);
		expect((await runner.execute(workflow, setUp)).error).toBeUndefined();
		expect((await runner.execute(workflow, 'Start the campaign')).error).toBeUndefined();
		const [, message] = runner.sandbox.messages();
		expect(runner.sandbox.messages().map(({ to }) => to)).toHaveLength(3);
		expect(message.message).toMatch(/\?phone=09791234562$/);
		await runner.reset();

		await runner.run('opt-outs', setUp);
		const open = await runner.publishForm(example);
		for (const [typed, page] of [
			['0979 123 4562', 'You will get no more campaign messages from us.'],
			['nobody', 'This is not a phone number.'],
		]) {
			const visitor = await open();
			await visitor.submit({ 'field-0': typed });
			expect(visitor.text).toContain(page);
			expect(visitor.text).not.toMatch(forBuilders);
		}
		const link = message.message.split(' ').at(-1) ?? '';
		expect((await runner.n8n.api.http.get<string>(link)).data).toContain('09791234562');

		const run = await runner.execute(await runner.import(example), 'Start the campaign');
		expect(run.error).toBeUndefined();
		expect(run.json['Send messages'][0][1]).toMatchObject({ skipped: 'optedOut' });
		const sent = runner.sandbox.messages().map(({ to }) => to);
		expect(sent).toEqual(['959791234561', '959791234563']);
	});

	test('writes to customers and visitors in Burmese', async () => {
		const example = withLink(withOwnTables('opt-outs'));
		const changes = inBurmese('opt-outs');
		const workflow = await runner.import(example, changes);
		expect((await runner.execute(workflow, setUp)).error).toBeUndefined();
		expect((await runner.execute(workflow, 'Start the campaign')).error).toBeUndefined();
		expect(runner.sandbox.messages().map(({ message }) => message)).toEqual(
			['Aye', 'Bo', 'Cho'].map((name, n) =>
				expect.stringMatching(
					new RegExp(`^မင်္ဂလာပါ ${name}။ .+ - https://\\S+phone=0979123456${n + 1}$`),
				),
			),
		);
		const open = await runner.publishForm(example, changes);
		for (const [typed, page] of [
			['09791234562', 'ကျေးဇူးတင်ပါသည်'],
			['nobody', 'ဖုန်းနံပါတ်ကို စစ်ဆေးပါ'],
		]) {
			const visitor = await open();
			expect(visitor.text).toContain('No more messages · မက်ဆေ့ချ် ထပ်မပို့ပါနှင့်');
			await visitor.submit({ 'field-0': typed });
			expect(visitor.text).toContain(page);
		}
	});

	test('sends nothing while its link leads nowhere, or while the table is missing', async () => {
		const example = withOwnTables('opt-outs');
		const unchanged = await runner.import(example);
		await runner.execute(unchanged, setUp);
		const withoutLink = await runner.execute(unchanged, 'Start the campaign');
		expect(withoutLink.error?.message).toMatch(/stopLink .*is empty/);
		const missing = rewrite(withLink(example), [['SMS opt-outs', 'No such table']]);
		const noTable = await runner.execute(await runner.import(missing), 'Start the campaign');
		expect(noTable.error?.message).toMatch(/Data table .*No such table/);
		expect(runner.sandbox.messages()).toEqual([]);
	});

	test('keep to their own table beside a newer one whose name contains the same', async () => {
		const example = withLink(readExample('opt-outs'));
		const workflow = await runner.import(example);
		await runner.execute(workflow, setUp);
		await optOut(runner, '09791234562');
		await addLookalike(runner);
		const visitor = await (await runner.publishForm('opt-outs'))();
		await visitor.submit({ 'field-0': '09791234563' });
		expect(visitor.text).toContain('You will get no more campaign messages from us.');
		const run = await runner.execute(workflow, 'Start the campaign');
		expect(run.error).toBeUndefined();
		expect(runner.sandbox.messages().map(({ to }) => to)).toEqual(['959791234561']);
	});

	test('names the row and the field of a customer without a name, and texts nobody', async () => {
		const nameless = rewrite(withLink(withOwnTables('opt-outs')), [["'Bo'", "''"]]);
		const workflow = await runner.import(nameless);
		await runner.execute(workflow, setUp);
		const run = await runner.execute(workflow, 'Start the campaign');
		expect(run.error?.message).toMatch(/name.* is empty \(item 2 of/);
		expect(runner.sandbox.messages().map(({ to }) => to)).toEqual([]);
	});
});

sinceN8n2('Data Table node that makes tables').describe('strangers who opt out', () => {
	let runner: ExampleRunner;
	beforeAll(async () => {
		runner = await ExampleRunner.open();
	});
	beforeEach(async () => await runner.reset());
	afterAll(async () => await runner?.close());

	const accepted = 'You will get no more campaign messages from us.';
	const rejected = 'This is not a phone number.';

	/** Submits each as a form field. @returns those that the page accepts */
	const submitAll = async <T extends Answers[string] | undefined>(given: T[]): Promise<T[]> => {
		const open = await runner.publishForm('opt-outs');
		const left = [...given];
		const saved: T[] = [];
		const submit = async () => {
			while (left.length > 0) {
				const typed = left.shift() as T;
				const visitor = await open();
				await visitor.submit(typed === undefined ? {} : { 'field-0': typed });
				expect([typed, visitor.text]).toEqual([
					typed,
					expect.stringMatching(new RegExp(`${accepted}|${rejected}`)),
				]);
				expect(visitor.text).not.toMatch(forBuilders);
				if (visitor.text.includes(accepted)) saved.push(typed);
			}
		};
		await Promise.all(Array.from({ length: 4 }, submit));
		return saved;
	};

	/** The campaign with other customers. */
	const sendTo = async (numbers: string[]) => {
		const people = JSON.stringify(numbers.map((phone) => ({ phone, name: 'Aye' })));
		const values = { stopLink: ['string', 'https://n8n.test'], people: ['array', people] };
		const assignments = Object.entries(values).map(([name, [type, value]]) => ({
			...{ id: name, name, type, value },
		}));
		const changes = { Customers: { assignments: { assignments } } };
		return await runner.execute(await runner.import('opt-outs', changes), 'Start the campaign');
	};

	test('save exactly what Do Not Send To reads, and stop no campaign', async () => {
		await runner.run('opt-outs', setUp);
		// The page reads a number by the safeguard of the campaign, so a sample is enough.
		const sample = spellings.filter((_, n) => n % 6 === 0);
		const readable = sample.filter((typed) => 'value' in attempt(() => toOptOuts(typed).has('')));
		expect(readable.length).toBeGreaterThan(3);
		expect(readable.length).toBeLessThan(sample.length - 3);
		// People can opt out while the service is down.
		await runner.disconnect();
		const saved = await submitAll(sample);
		await runner.reconnect();
		expect(runner.sandbox.requests().map(({ path }) => path)).toEqual([]);
		const optedOut = readable
			.flatMap((typed) => parseRecipients(typed))
			.map((entry) => normalizePhoneNumber(entry, 'to', 'any'));
		const { error } = await sendTo([...new Set(optedOut), '09790000001']);
		expect(error).toBeUndefined();
		expect(saved.sort()).toEqual(readable.sort());
		expect(runner.sandbox.messages().map(({ to }) => to)).toEqual(['959790000001']);
	});

	test('are asked to try again while the table is missing, with one number or several', async () => {
		const renamed = rewrite(readExample('opt-outs'), [['SMS opt-outs', 'No such table']]);
		const { id, nodes } = await runner.activate(renamed);
		const form = nodes.find(({ name }) => name === 'No more messages');
		const open = async () => await FormVisitor.open(runner.n8n.url, form?.webhookId ?? '');
		for (const typed of ['09791234567', '09791234567, 09797654321']) {
			const visitor = await open();
			await visitor.submit({ 'field-0': typed });
			expect(visitor.text).toContain('Your number could not be saved.');
		}
		// The person who runs it hears of it.
		const failed = await runner.n8n.api.finishedExecutions(id, 2);
		expect(failed.map(({ error }) => error?.message)).toEqual([
			expect.stringContaining('An opt-out could not be saved: 09791234567'),
			expect.stringContaining('An opt-out could not be saved: 09791234567'),
		]);
	});

	test('cannot fill the table with one long text, or with what is not text', async () => {
		await runner.run('opt-outs', setUp);
		const long = Array.from({ length: 20_000 }, (_, n) => `0979${1_000_000 + n}`).join();
		const file = new File(['09791234567'], '09791234567', { type: 'text/plain' });
		expect(await submitAll([long, file, undefined, ''])).toEqual([]);
		expect((await sendTo(['09791000000'])).error).toBeUndefined();
		expect(runner.sandbox.messages().map(({ to }) => to)).toHaveLength(1);
	});
});
