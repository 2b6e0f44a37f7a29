import { setTimeout as sleep } from 'node:timers/promises';

import type { IDataObject } from 'n8n-workflow';

import { credentialsOf } from '../support/workflow/credentialsOf';
import { runNode } from '../support/workflow/runWorkflow';
import { mapped, onlyOne, sendNodes, wantedMessages } from '../support/workflow/sending';
import { shortenWaits } from '../support/workflow/shortenWaits';
import { useSandbox } from '../support/workflow/useSandbox';

const sms = { message: 'Hello', from: 'MyShop' };
const nodes = [
	{ type: 'OtpRequest', parameters: { brand: 'MyShop', from: 'MyShop' } },
	{ type: 'SmsBulkSend', parameters: sms },
	{ type: 'SmsSend', parameters: sms },
	{ type: 'SmsSendAndWait', parameters: { ...sms, waitFor: 'anyFinal', timeLimit: 60 } },
	{ type: 'SmsSendAndWaitForResponse', parameters: { ...sms, responseType: 'approval' } },
] as const;

/** Gives another number whenever it is evaluated. */
const another = (start: string) => `={{ "${start}" + String(Math.random()).slice(2, 9) }}`;

describe.each(nodes)('$type and an expression that returns another number each time', (node) => {
	const sandbox = useSandbox();
	shortenWaits();

	const fail = async (to: string) => {
		const { type, parameters } = node;
		const settings = { onError: 'continueRegularOutput' } as const;
		const underTest = { type, parameters: { ...parameters, to }, settings };
		const { json } = await runNode(underTest, { credentials: credentialsOf(sandbox) });
		return json[0] as { error: string; details: IDataObject };
	};

	test('names the number that it rejects', async () => {
		const { error, details } = await fail(another('n'));
		expect(details.to).toMatch(/^n\d+$/);
		expect(error).toContain(String(details.to));
		expect(sandbox.requests().map(({ path }) => path)).toEqual([]);
	});

	test('names the number that the service rejects', async () => {
		sandbox.addFault({ effect: { status: 401 } });
		const { details } = await fail(another('95977'));
		const [{ query, body }] = sandbox.requests();
		expect(JSON.stringify([query, body])).toContain(`"${String(details.to)}"`);
	});
});

describe.each(sendNodes)('$type whose execution is stopped', ({ type }) => {
	const sandbox = useSandbox();

	test('evaluates no further item', async () => {
		sandbox.configure({ latencyMs: 20 });
		let reads = 0;
		const items = wantedMessages(1_000).map(({ to, message }) => ({
			message,
			get to() {
				reads += 1;
				return to;
			},
		}));
		const stop = new AbortController();
		setTimeout(() => {
			reads = 0;
			stop.abort();
		}, 300);
		const settings = { onError: 'continueRegularOutput' } as const;
		const node = { type, parameters: { ...mapped, options: onlyOne(type) }, settings };
		await runNode(node, { credentials: credentialsOf(sandbox), items, signal: stop.signal });
		await sleep(1_000);
		expect(reads).toBeLessThan(5);
	});
});
