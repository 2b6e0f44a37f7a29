import { credentialsOf } from '../support/workflow/credentialsOf';
import {
	accountFor,
	allOnce,
	mapped,
	sendNodes,
	shortenDelivery,
	wantedMessages,
} from '../support/workflow/sending';
import { runAgainst } from '../support/workflow/runAgainst';
import {
	runWorkflow,
	to,
	toResult,
	type RunOptions,
	type WorkflowUnderTest,
} from '../support/workflow/runWorkflow';
import { useSandbox } from '../support/workflow/useSandbox';

describe.each(sendNodes)('the same message, sent by $type', ({ type, path, options }) => {
	const sandbox = useSandbox();
	shortenDelivery();

	const node = (name: string): WorkflowUnderTest['nodes'][0] => ({
		name,
		type,
		parameters: { ...mapped, options: { ...options, parallelRequests: 1 } },
	});
	const runAll = async (underTest: WorkflowUnderTest, more: Partial<RunOptions> = {}) =>
		await runWorkflow(underTest, { credentials: credentialsOf(sandbox), ...more });
	const loseResponses = (count: number, skip = 0) =>
		sandbox.addFault({ match: { path }, when: 'after', effect: 'cut', skip, count });

	test('is sent by each of two nodes with the same settings', async () => {
		const items = wantedMessages(3);
		sandbox.addFault({ match: { path }, effect: { status: 500 }, skip: 3, count: 1 });
		loseResponses(1, 3);
		const two: WorkflowUnderTest = {
			nodes: [node('First'), node('Second')],
			connections: { Source: to('First', 'Second') },
		};
		const run = await runAll(two, { items });
		const records = ['First', 'Second'].flatMap((name) => toResult(run, name).json);
		expect(accountFor(sandbox, [...items, ...items], records)).toEqual(allOnce(6));
	});
});

describe('the same Client Reference', () => {
	const sandbox = useSandbox();
	const send = runAgainst(sandbox, 'SmsSend');
	shortenDelivery();
	const options = { clientReference: 'order-1' };

	test.each([
		['before the service acts', 'before'],
		['after acceptance', 'after'],
	] as const)(
		'in an older message: a send that fails %s does not find that one',
		async (_, when) => {
			const [wanted] = wantedMessages(1);
			sandbox.seedMessages(3, (index) => ({
				...wanted,
				from: 'MyShop',
				clientReference: 'order-1',
				createdAtMs: Date.now() - (index + 1) * 86_400_000,
			}));
			const before = sandbox.messages().map(({ messageId }) => messageId);
			sandbox.addFault({ match: { path: '/rest/send' }, when, effect: { status: 500 }, count: 1 });
			const { json } = await send({ ...mapped, options }, { items: [wanted] });
			const added = sandbox.messages().filter(({ messageId }) => !before.includes(messageId));
			expect(accountFor({ messages: () => added }, [wanted], json)).toEqual(allOnce(1));
		},
	);
});

describe('an encrypted message whose response is lost', () => {
	const sandbox = useSandbox();
	const send = runAgainst(sandbox, 'SmsSend');
	shortenDelivery();

	test('is found in history by its reference, since its text is not there', async () => {
		const match = { path: '/rest/send' };
		sandbox.addFault({ match, when: 'after', effect: 'cut', count: 1 });
		const options = { encrypt: true, encryptKey: 'a key of mine' };
		const { json } = await send({ options });
		expect(sandbox.messages().map(({ to }) => to)).toHaveLength(1);
		expect(json[0].messageId).toBe(sandbox.messages()[0].messageId);
	});
});
