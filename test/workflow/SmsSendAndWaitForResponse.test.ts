import { setTimeout as sleep } from 'node:timers/promises';

import { httpClient } from '../../scripts/http';
import type { IDataObject, INode } from 'n8n-workflow';

import { collectGarbage } from '../support/unit/collectGarbage';
import { credentialsOf } from '../support/workflow/credentialsOf';
import { shortenDelivery } from '../support/workflow/sending';
import {
	inLine,
	runNode,
	runWorkflow,
	type RunOptions,
	type WorkflowUnderTest,
} from '../support/workflow/runWorkflow';
import { useSandbox } from '../support/workflow/useSandbox';
import { useWaitingN8n } from '../support/workflow/WaitingN8n';

/** A name that n8n's expressions could stumble over. */
const name = `Ask "here" {{ 'now' }}`;
const type = 'SmsSendAndWaitForResponse';
const question = {
	to: '09791234567',
	message: 'Refund?',
	from: 'MyShop',
	responseType: 'approval',
};

const asking = (parameters: IDataObject = {}, settings: Partial<INode> = {}): WorkflowUnderTest =>
	inLine({ name, type, parameters: { ...question, ...parameters }, settings });

describe('SMS Send and Wait for Response', () => {
	const sandbox = useSandbox();
	const n8n = useWaitingN8n();
	shortenDelivery();

	const ask = async (underTest = asking(), options: Partial<RunOptions> = {}) => {
		const credentials = credentialsOf(sandbox);
		const { executionId, run } = await n8n.run(underTest, { credentials, ...options });
		expect(run.data.resultData.error).toBeUndefined();
		expect(n8n.statusOf(executionId)).toBe('waiting');
		return executionId;
	};
	const link = () => String(/http\S+$/.exec(String(sandbox.messages().at(-1)?.message))?.[0]);
	const press = async (fields: Record<string, string>, url = link()) =>
		await httpClient.post<string>(url, new URLSearchParams(fields), { validateStatus: () => true });
	const output = async (executionId: string) => (await n8n.awake(executionId, name)).json;

	test('asks what its fields said before the wait, in the chosen language', async () => {
		const options = { pageLanguage: '={{ $json.language }}' };
		const items = [{ text: 'Really?', language: 'my', approved: true }];
		const executionId = await ask(asking({ message: '={{ $json.text }}', options }), { items });
		const { data } = await httpClient.get<string>(link());
		for (const words of ['Really?', 'lang="my"', 'အတည်ပြုမည်']) expect(data).toContain(words);
		expect(n8n.statusOf(executionId)).toBe('waiting');
	});

	test('asks in Unicode and by query parameters where the account needs it', async () => {
		await ask(asking({ options: { unicode: true, surface: 'http' } }));
		const { path, query } =
			sandbox.requests().find((request) => request.path.endsWith('/send')) ?? {};
		expect({ path, unicode: query?.unicode }).toEqual({ path: '/api/http/send', unicode: '1' });
	});

	test('presses at the same moment decide once', async () => {
		const executionId = await ask();
		const answers = await Promise.all(
			Array.from({ length: 20 }, (_, n) => press({ response: n % 2 ? 'approve' : 'decline' })),
		);
		const words = answers.map(({ data }) => data);
		expect(words.filter((text) => text.includes('was recorded'))).toHaveLength(1);
		const [{ data }] = await output(executionId);
		const decided = (data as IDataObject).approved ? 'Approve' : 'Decline';
		const others = words.filter((text) => text.includes('already answered'));
		for (const text of others) expect(text).toContain(`>${decided}<`);
	});

	test.each([{}, { executeOnce: true }])(
		'at the time limit nobody has approved (%j)',
		async (settings) => {
			const items = [{ approved: true, data: { approved: true } }, { id: 2 }];
			const used = settings.executeOnce ? items : items.slice(0, 1);
			const executionId = await ask(asking({}, settings), { items: used });
			n8n.endWait(executionId);
			const [{ messageId }] = sandbox.messages();
			const data = { approved: false };
			const timedOut = { approved: false, data, timedOut: true, messageId, to: '959791234567' };
			const waitedUntil = expect.stringMatching(/^\d{4}-.*Z$/) as unknown;
			expect(await output(executionId)).toEqual([{ ...timedOut, waitedUntil }]);
		},
	);

	test('a press after the limit decides nothing, though n8n has not ended the wait yet', async () => {
		const values = { resumeAmount: 0.05, resumeUnit: 'minutes' };
		const executionId = await ask(asking({ options: { limitWaitTime: { values } } }));
		expect((await httpClient.get<string>(link())).status).toBe(200);
		await sleep(3_100);
		const { status, data } = await press({ response: 'approve' });
		expect([status, data]).toEqual([410, expect.stringContaining('This question is closed')]);
		expect(n8n.statusOf(executionId)).toBe('waiting');
		n8n.endWait(executionId);
		const [{ data: decision, waitedUntil }] = await output(executionId);
		expect(decision).toEqual({ approved: false });
		expect(Date.parse(String(waitedUntil))).toBeLessThan(Date.now());
	});

	test('reports that n8n ended the wait early', async () => {
		const executionId = await ask();
		n8n.endWait(executionId);
		const [{ timedOut, waitedUntil }] = await output(executionId);
		expect(timedOut).toBe(true);
		const left = Date.parse(String(waitedUntil)) - Date.now();
		expect(left / 3_600_000).toBeCloseTo(24, 1);
	});

	test.each([
		['a wrong number', { to: '12' }, 'too short'],
		['several numbers', { to: '09791234567, 09791234568' }, 'several numbers'],
		[
			'a text that is too long',
			{ message: 'Refund? '.repeat(20), options: { maxParts: 1 } },
			'Max Parts is 1',
		],
		['another country', { to: '+6591234567', options: { allowedCountryCodes: '95' } }, 'country'],
	])('sends nothing with %s', async (_, parameters, words) => {
		const node = {
			type: 'SmsSendAndWaitForResponse' as const,
			parameters: { ...question, ...parameters },
		};
		const { error } = await runNode(node, { credentials: credentialsOf(sandbox) });
		expect(error?.message).toContain(words);
		expect(error?.description).toMatch(/^Nothing was sent\. /);
		expect(sandbox.requests().map(({ path }) => path)).toEqual([]);
	});

	test('does not wait when the service rejects the question, and hands on nothing of its input', async () => {
		const settings = { onError: 'continueRegularOutput' as const };
		const parameters = { ...question, to: '09000000011' };
		const node = { type: 'SmsSendAndWaitForResponse' as const, parameters, settings };
		const items = [{ approved: true, data: { approved: true } }];
		const { json } = await runNode(node, { credentials: credentialsOf(sandbox), items });
		expect(json).toHaveLength(1);
		expect(json[0]).toMatchObject({ approved: false, data: { approved: false } });
		expect(Object.keys(json[0]).sort()).toEqual(['approved', 'data', 'details', 'error', 'to']);
	});

	test('keeps nothing of 200 open questions in memory', async () => {
		const refs: Array<WeakRef<object>> = [];
		const askMany = async (count: number) => {
			for (let asked = 0; asked < count; asked += 1) {
				const items = [{ payload: 'x'.repeat(100_000) }];
				const run = await runWorkflow(asking(), { credentials: credentialsOf(sandbox), items });
				expect(run.data.waitTill).toBeDefined();
				refs.push(new WeakRef(run.data));
			}
		};
		await askMany(200);
		await sleep(50);
		collectGarbage();
		// What ran last can still be on the way out.
		expect(refs.filter((ref) => ref.deref()).length).toBeLessThanOrEqual(1);
	}, 60_000);

	test('sends the question as a test message, with its parts told below the output', async () => {
		const node = {
			type: 'SmsSendAndWaitForResponse' as const,
			parameters: { ...question, options: { test: true } },
		};
		const { hints } = await runNode(node, { credentials: credentialsOf(sandbox) });
		expect(sandbox.requests()[0].body).toMatchObject({ test: 1 });
		expect(hints).toEqual([
			expect.stringMatching(/^Each question is charged as 1 part/),
			'No phone can open the link in the SMS: it begins with http://127.0.0.1:5678. Start n8n with N8N_WEBHOOK_URL (in older n8n: WEBHOOK_URL) set to its public URL.',
		]);
	});

	test('sends no link to this machine by a service that is elsewhere', async () => {
		const node = { type: 'SmsSendAndWaitForResponse' as const, parameters: question };
		const credentials = { ...credentialsOf(sandbox), baseUrl: 'https://sms.example.com/api' };
		const { error } = await runNode(node, { credentials });
		expect(error?.message).toContain('No phone can open the link in the SMS');
		expect(error?.description).toMatch(/^Nothing was sent\. Start n8n with N8N_WEBHOOK_URL/);
	});
});
