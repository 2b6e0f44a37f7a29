import { randomUUID } from 'node:crypto';

import { httpClient } from '../../scripts/http';
import type { INodeParameters } from 'n8n-workflow';

import { until } from '../../scripts/n8n/until';
import { callAll } from '../support/e2e/callAll';
import { ExampleRunner } from '../support/e2e/ExampleRunner';
import {
	callWebhook,
	completeNode,
	connectInLine,
	startN8n,
	type NodeUnderTest,
	type OwnN8n,
} from '../../tools/harness';
import { credentialsOf } from '../support/workflow/credentialsOf';
import { sinceN8n2 } from '../support/e2e/sinceN8n2';

/** The whole attack takes minutes: 10,000 submissions and 200 visits. The tests make do with a part of it. */
const submissions = Number(process.env.FLOOD_SUBMISSIONS ?? 120);
const visits = Number(process.env.FLOOD_VISITS ?? 24);
const submittersAtOnce = 20;
/** Visitors ask for their next page again and again: twenty keep two processors busy with asking alone. */
const visitorsAtOnce = 6;
const longestRunMs = 30 * 60_000;

describe('codes under SMS pumping', () => {
	let n8n: OwnN8n;
	let runner: ExampleRunner;
	let began: number;

	beforeAll(async () => {
		n8n = await startN8n({ env: { N8N_METRICS: 'true' } });
		runner = await ExampleRunner.open({}, n8n);
	});
	beforeEach(async () => {
		await runner.reset();
		runner.sandbox.configure({ balance: 1_000_000_000 });
		began = Date.now();
	});
	afterAll(async () => {
		await runner?.close();
		await n8n?.close();
	});

	/** Each in a range of its own. */
	const numberOf = (n: number) => `0979${1_000 + n}000`;

	/** How many codes the service was asked for, for each number that got any. */
	const countByNumber = () => {
		const counts = new Map<string, number>();
		for (const { to } of runner.sandbox.codes()) counts.set(to, (counts.get(to) ?? 0) + 1);
		return [...counts.values()];
	};
	/** How many codes the defaults allow a number in the time since the test began. */
	const mostPerNumber = () => Math.min(5, 1 + Math.floor((Date.now() - began) / 30_000));

	const readMemory = async () => {
		const { data } = await httpClient.get<string>(`${n8n.url}/metrics`);
		const read = (name: string) => Number(new RegExp(`${name} (\\d\\S*)`).exec(data)?.[1]) / 1e6;
		return {
			heapMB: Math.round(read('nodejs_heap_size_used_bytes')),
			residentMB: Math.round(read('process_resident_memory_bytes')),
		};
	};

	/** A webhook that has a code sent to the number in the body, and answers when that is done. */
	const publish = async (safeguards: INodeParameters) => {
		const path = randomUUID();
		const type = 'messagingServiceApi';
		const data = credentialsOf(runner.sandbox);
		const credential = await n8n.api.createCredential({ name: 'Flood', type, data });
		const webhook: NodeUnderTest = {
			name: 'Start',
			type: 'n8n-nodes-base.webhook',
			typeVersion: 2,
			webhookId: path,
			parameters: { httpMethod: 'POST', path, responseMode: 'lastNode', options: {} },
		};
		const request: NodeUnderTest = {
			name: 'Send code',
			type: 'otpRequest',
			parameters: { to: '={{ $json.body.phone }}', brand: 'Shop', from: 'Shop', safeguards },
			credentials: { [type]: credential },
			onError: 'continueRegularOutput',
		};
		const { id } = await n8n.api.createWorkflow({
			name: `flood ${path}`,
			nodes: [webhook, request].map(completeNode),
			connections: connectInLine(['Start', 'Send code']),
			settings: { saveDataSuccessExecution: 'none', saveDataErrorExecution: 'none' },
		});
		await n8n.api.activate(id);
		return async (phone: string) =>
			(await callWebhook(n8n.api, path, { body: { phone } })).data as { details?: object };
	};

	test(
		`${submissions} submissions, ${submittersAtOnce} at once, cost what the limits say, to the code`,
		async () => {
			// Six submissions for each at least.
			const numbers = Math.min(50, submissions / 12);
			const [perHour, perNumber] = [
				await publish({ maxPerHour: 30 }),
				await publish({ pauseSeconds: 0 }),
			];
			const answers = await callAll(
				submissions / 2,
				submittersAtOnce,
				async (n) => await perHour(numberOf(n % 500)),
			);
			expect(runner.sandbox.codes()).toHaveLength(30);
			expect(Math.max(...countByNumber())).toBeLessThanOrEqual(mostPerNumber());
			const refused = answers.filter((answer) => 'details' in answer);
			expect(refused).toHaveLength(submissions / 2 - 30);
			for (const { details } of refused) expect(details).toMatchObject({ kind: 'limited' });
			const begun = Date.now();
			runner.sandbox.reset();
			runner.sandbox.configure({ balance: 1_000_000_000 });
			await callAll(
				submissions / 2,
				submittersAtOnce,
				async (n) => await perNumber(numberOf(n % numbers)),
			);
			// On a slow machine, an attack takes longer than the 10 minutes for which the codes count.
			const windows = Math.ceil((Date.now() - begun) / 600_000);
			const counts = countByNumber();
			expect(counts).toHaveLength(numbers);
			expect(Math.min(...counts)).toBeGreaterThanOrEqual(5);
			expect(Math.max(...counts)).toBeLessThanOrEqual(5 * windows);
			console.info(`${submissions} submissions took ${Date.now() - began} ms`);
		},
		longestRunMs,
	);

	sinceN8n2('forms as the examples use them').test(
		`${visits} visits of the form leave nothing behind in the heap of n8n`,
		async () => {
			const open = await runner.publishForm('otp-on-a-form-complete');
			let verified = 0;
			const visit = async (n: number) => {
				const visitor = await open();
				await visitor.submit({ 'field-0': numberOf(n) });
				const to = `959${numberOf(n).slice(2)}`;
				const code =
					runner.sandbox
						.codes()
						.filter((one) => one.to === to)
						.at(-1)?.code ?? '';
				if (!visitor.html.includes('We have sent a code')) return;
				await visitor.submit({ 'field-0': code, 'field-1': '["Check this code"]' });
				if (visitor.html.includes('is verified')) verified += 1;
			};
			const warmUp = 12;
			// Every number is typed in two visits; the second one is asked to wait.
			const numberOfVisit = (n: number) => Math.floor(n / 2);
			await callAll(warmUp, visitorsAtOnce, async (n) => await visit(1000 + n));
			const before = await readMemory();
			await callAll(visits, visitorsAtOnce, async (n) => await visit(numberOfVisit(n)));
			// What nobody holds goes some time later.
			const after = await until(
				async () => {
					const memory = await readMemory();
					return memory.heapMB - before.heapMB < 150 ? memory : undefined;
				},
				{ what: 'the heap of n8n to be cleared up', everyMs: 1_000 },
			);
			// The resident memory, which grows with the visits, lies outside of the heap: reported, not held.
			console.info(`memory of n8n before and after ${visits} visits:`, before, after);
			expect(Math.max(...countByNumber())).toBeLessThanOrEqual(mostPerNumber());
			expect(verified).toBeGreaterThanOrEqual(warmUp + visits / 2);
		},
		longestRunMs,
	);
});
