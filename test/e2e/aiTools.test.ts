import { httpClient } from '../../scripts/http';
import type { IDataObject } from 'n8n-workflow';

import type { Sandbox } from '../../sandbox';
import { AgentRunner, newestAgentVersion, type AgentRun } from '../support/e2e/AgentRunner';
import type { NodeUnderTest } from '../../tools/harness';
import type { ScriptedModel } from '../support/e2e/scriptedModel';

const number = '09791234567';
/** Numbers of the sandbox whose way is fixed. */
const refusedNumber = '09000000011';
const failedNumber = '09000000003';

/** As the editor writes it when "Let the model define this parameter" is chosen. */
const fromModel = (...names: string[]) =>
	Object.fromEntries(
		names.map((name) => [name, `={{ $fromAI('${name}', 'The ${name}', 'string') }}`]),
	);

const toolName = (name: string) => name.replace(/ /g, '_');
const call = (name: string, args: IDataObject) => ({ tool: toolName(name), args });

let runner: AgentRunner;
let sandbox: Sandbox;
let model: ScriptedModel;

beforeAll(async () => {
	runner = await AgentRunner.open();
	({ sandbox, model } = runner);
});
afterAll(async () => await runner?.close());
beforeEach(() => {
	sandbox.reset();
	sandbox.configure({ pace: 0 });
});

// Version 3 runs its tools as nodes of the execution, the versions before run them inside of the agent.
describe.each([2.2, newestAgentVersion])(
	'as a tool of the AI Agent, version %s',
	(agentVersion) => {
		const runAgent = async (tool: NodeUnderTest, more: Partial<AgentRun> = {}) =>
			await runner.run({ agentVersion, tool, ...more });
		const answers = (prompt?: string) => runner.answers(prompt);
		const sentTexts = () => sandbox.messages().map(({ message }) => message);

		const smsSend = (more: Partial<NodeUnderTest> = {}) => ({
			name: 'SMS Send',
			type: 'smsSendTool',
			parameters: { ...fromModel('to', 'message'), from: 'Shop', options: {} },
			...more,
		});
		const send = (message: string, to = number) => call('SMS Send', { to, message });

		describe('SMS Send', () => {
			test('sends once, and returns the record and its cost to the model', async () => {
				model.play([[send('Hello')], 'Sent.']);
				expect(await runAgent(smsSend())).toEqual(['Sent.']);
				expect(sentTexts()).toEqual(['Hello']);
				const [{ messageId }] = sandbox.messages();
				expect(answers()).toEqual([
					[expect.objectContaining({ messageId, to: '959791234567', status: 'Accepted' })],
				]);
				expect(model.tools()).toEqual([
					expect.objectContaining({
						name: 'SMS_Send',
						description: expect.stringMatching(/costs money.*do not repeat/i),
					}),
				]);
			});

			test('returns the earlier record for a repeated call of the same execution', async () => {
				const texts = ['One', 'Two', 'Three', 'Three', 'One'];
				const [first, second, third, fourth, last] = texts.map((text) => send(text));
				model.play([[first], [second, third, fourth], [last], 'Sent.']);
				await runAgent(smsSend());
				expect(sentTexts().sort()).toEqual(['One', 'Three', 'Two']);
				const records = answers().flat();
				expect(records.map(({ message }) => message)).toEqual(texts);
				expect(new Set(records.map(({ messageId }) => messageId)).size).toBe(3);
				expect(records.filter(({ alreadySent }) => alreadySent === true)).toHaveLength(2);
			});

			test('looks at what the model fills into a text, and sends none with an empty field', async () => {
				const ask = (first: string) => call('SMS Send', { first });
				model.play([[ask('')], [ask('Aye')], 'Sent.']);
				const message = "=Hello {{ $fromAI('first', 'First name', 'string') }}, welcome";
				await runAgent(smsSend({ parameters: { to: number, from: 'Shop', message } }));
				expect(sentTexts()).toEqual(['Hello Aye, welcome']);
				expect(JSON.stringify(answers())).toContain('is empty');
			});

			test('keeps the calls of simultaneous items apart', async () => {
				// Answers that get lost are where a message could be taken for another.
				sandbox.addFault({ match: { path: '/rest/send' }, when: 'after', effect: 'cut', count: 2 });
				model.play((prompt) => [[send(`${prompt} 1`)], [send(`${prompt} 2`)], 'Sent.']);
				await runAgent(smsSend(), {
					items: [{ prompt: 'A' }, { prompt: 'B' }, { prompt: 'C' }],
					agentOptions: { batching: { batchSize: 3 } },
				});
				const told = ['A', 'B', 'C'].flatMap((prompt) =>
					answers(prompt).map(([{ message, error }], index) => ({
						wanted: `${prompt} ${index + 1}`,
						message,
						error,
					})),
				);
				// Version 2.2 hands the arguments of one call to another; such a call sends nothing.
				const isMixedUp = ({ error }: { error: unknown }) =>
					String(error).includes('mixed up the arguments');
				const sent = told.filter((answer) => agentVersion > 3 || !isMixedUp(answer));
				expect(told).toHaveLength(6);
				expect(sent.map(({ message }) => message)).toEqual(sent.map(({ wanted }) => wanted));
				expect(sentTexts().sort()).toEqual(sent.map(({ wanted }) => wanted).sort());
			});

			test('returns no encryption key to the model, and loses none', async () => {
				const encrypted = (options: IDataObject) =>
					smsSend({
						parameters: { ...smsSend().parameters, options: { encrypt: true, ...options } },
					});
				model.play([[send('Hello')], 'Sent.']);
				await runAgent(encrypted({ encryptKey: 'a-key-of-the-owner' }));
				expect(answers()).toMatchObject([
					[{ status: 'Accepted', message: expect.not.stringMatching('Hello') }],
				]);
				expect(model.heard()).not.toContain('a-key-of-the-owner');
				model.play([[send('Hello')], 'Sent.']);
				await runAgent(encrypted({}));
				expect(answers()).toMatchObject([
					[{ error: expect.stringMatching(/^Encryption Key is required.*does not get keys/) }],
				]);
				expect(sandbox.messages().map(({ to }) => to)).toHaveLength(1);
			});

			test('explains to the model what was wrong, and what is right', async () => {
				model.play([
					[send('Hello', '12')],
					[send('Hello', refusedNumber)],
					[send('Hello')],
					'Sent.',
				]);
				await runAgent(smsSend());
				const [[tooShort], [refused], [sent]] = answers();
				expect(tooShort.error).toMatch(/too short.*09791234567/s);
				expect(refused.error).toContain('Invalid Sender ID');
				expect(sent).toMatchObject({ status: 'Accepted' });
				expect(sentTexts()).toEqual(['Hello']);
			});

			test('tells the model not to send again what may have been sent', async () => {
				sandbox.addFault({ match: { path: '/rest/send' }, when: 'after', effect: 'cut' });
				sandbox.addFault({ match: { path: '/rest/messages' }, effect: { status: 403 } });
				model.play([[send('Hello')], 'Unclear.']);
				await runAgent(smsSend({ retryOnFail: true, maxTries: 2, waitBetweenTries: 0 }));
				expect(sentTexts()).toEqual(['Hello']);
				const [[unknown]] = answers();
				expect(unknown.error).toContain('Outcome unknown');
				expect(JSON.stringify(unknown.details)).toContain('before you send it again');
			});

			// Later versions end with the first try that fails for good when the workflow is to stop.
			if (agentVersion < 3) {
				test('sends once when n8n retries a call', async () => {
					sandbox.addFault({ match: { path: '/rest/send' }, when: 'after', effect: 'cut' });
					sandbox.addFault({
						match: { path: '/rest/messages' },
						effect: { status: 403 },
						count: 1,
					});
					model.play([[send('Hello')], 'Sent.']);
					const retry = { retryOnFail: true, maxTries: 3, waitBetweenTries: 0 };
					await runAgent(smsSend({ ...retry, onError: 'stopWorkflow' }));
					expect(sentTexts()).toEqual(['Hello']);
					const [{ messageId }] = sandbox.messages();
					expect(answers()).toEqual([[expect.objectContaining({ messageId })]]);
				});
			}
		});

		test('SMS Bulk Send sends once to every number of the model', async () => {
			const tool = {
				name: 'SMS Bulk Send',
				type: 'smsBulkSendTool',
				parameters: { ...fromModel('to', 'message'), from: 'Shop', options: {} },
			};
			const args = { to: `${number}, 09791234568`, message: 'Hello' };
			model.play([[call(tool.name, args)], [call(tool.name, { ...args, to: '12' })], 'Sent.']);
			await runAgent(tool);
			expect(sandbox.messages().map(({ to }) => to)).toEqual(['959791234567', '959791234568']);
			const [records, [error]] = answers();
			expect(records).toMatchObject([{ status: 'Accepted' }, { status: 'Accepted' }]);
			expect(error.error).toContain('too short');
		});

		test('SMS Send and Wait for Delivery returns the outcome without putting the execution to sleep', async () => {
			const tool = {
				name: 'Send and Wait',
				type: 'smsSendAndWaitTool',
				parameters: {
					...fromModel('to', 'message'),
					from: 'Shop',
					waitFor: 'anyFinal',
					timeLimit: 60,
					options: {},
				},
			};
			sandbox.configure({ pace: 20 });
			model.play([
				[call(tool.name, { to: number, message: 'Hello' })],
				[call(tool.name, { to: failedNumber, message: 'Hello' })],
				'Done.',
			]);
			await runAgent(tool);
			expect(answers()).toMatchObject([
				[{ outcome: 'delivered', status: 'Delivered' }],
				[{ outcome: 'notDelivered', status: 'Failed' }],
			]);
			expect(sandbox.messages().map(({ to }) => to)).toHaveLength(2);
			expect(sandbox.requests()[0].body).not.toHaveProperty('deliveryReceiptUrl');
		});

		test('OTP Request asks for one code for each call, and never shows the code', async () => {
			const tool = {
				name: 'OTP Request',
				type: 'otpRequestTool',
				parameters: {
					...fromModel('to'),
					...{ brand: 'Shop', from: 'Shop', options: {} },
				},
			};
			model.play([
				[call(tool.name, { to: number })],
				[call(tool.name, { to: 'a@example.com' })],
				[call(tool.name, { to: 'nobody' })],
				'Done.',
			]);
			await runAgent(tool);
			const [[first], [second], [error]] = answers();
			expect([first, second]).toMatchObject([{ channel: 'SMS' }, { channel: 'EMAIL' }]);
			expect(first.requestId).not.toBe(second.requestId);
			expect(error.error).toMatch(/number|email/);
			expect(sandbox.codes()).toHaveLength(2);
			for (const { code } of sandbox.codes()) expect(model.heard()).not.toContain(`"${code}"`);
		});

		test('OTP Verify says of every code whether it was right, on its one output', async () => {
			const { data } = await httpClient.post(`${sandbox.baseUrl}/otp/request`, null, {
				params: { accessToken: sandbox.token, to: number, brand: 'Shop', from: 'Shop' },
			});
			const requestId = String(data.requestId);
			const [{ code }] = sandbox.codes();
			const tool = {
				name: 'OTP Verify',
				type: 'otpVerifyTool',
				parameters: fromModel('requestId', 'code', 'expectedTo'),
			};
			const verify = (typed: string, expectedTo = number) =>
				call(tool.name, { requestId, code: typed, expectedTo });
			const wrong = code === '000000' ? '000001' : '000000';
			const calls = [verify(wrong), verify(''), verify(code, ''), verify(code)];
			model.play([...calls.map((one) => [one]), 'Done.']);
			await runAgent(tool);
			const [[rejected], [error], [unnamed], [verified]] = answers();
			expect(unnamed).toMatchObject({ verified: false, reason: 'otherRecipient' });
			expect(rejected).toMatchObject({ verified: false, requestId, statusCode: 400 });
			expect(error).toMatchObject({ verified: false, reason: 'notACode' });
			expect(error.message).toContain('Code is empty');
			expect(verified).toMatchObject({ verified: true, requestId, to: '959791234567' });
		});
	},
);
