import type { IDataObject } from 'n8n-workflow';

import { describeRun, runWorkflow } from '../../tools/harness';
import { askNode, linkIn, open, press } from '../support/e2e/questions';
import { useNextStep } from '../support/queue/nextStep';
import type { Queue } from '../support/queue/useQueue';

const recorded = 'Your response was recorded';

export function describeAsking(queue: Queue): void {
	const nextStep = useNextStep();

	const ask = async () => {
		const { n8n, sandbox, credentials } = queue;
		const nodes = [askNode(credentials), nextStep.makeNode('Behind')];
		const run = await runWorkflow(n8n.api, nodes, [{ approved: true }], {
			orStatus: ['waiting'],
		});
		expect(run.error).toBeUndefined();
		expect(run.status).toBe('waiting');
		const link = new URL(linkIn(sandbox));
		expect(link.origin).toBe(n8n.webhookUrl);
		/** The same question at each webhook processor. */
		const links = n8n.webhookProcessors.map(({ url }) => `${url}${link.pathname}${link.search}`);
		return { ...run, link: link.href, links };
	};
	const finish = async ({ workflowId, executionId }: { workflowId: string; executionId: string }) =>
		describeRun(workflowId, await queue.n8n.api.finishedExecution(executionId));

	test('accepts the response to a question at a webhook processor', async () => {
		const asked = await ask();
		expect((await open(asked.link)).data).toContain('Refund 45,000 MMK');
		expect((await press(asked.link, { response: 'approve' })).data).toContain(recorded);
		expect((await finish(asked)).json.Ask[0][0].data).toMatchObject({ approved: true });
		expect(queue.sandbox.messages().map(({ to }) => to)).toHaveLength(1);
	});

	test('decides once of a hundred presses at two webhook processors, and says so of that one', async () => {
		const asked = await ask();
		const answers = await Promise.all(
			Array.from({ length: 100 }, async (_, n) => {
				const response = n % 3 ? 'approve' : 'decline';
				return { response, ...(await press(asked.links[n % 2], { response })) };
			}),
		);
		const counted = answers.filter(({ data }) => data.includes(recorded));
		expect(counted).toHaveLength(1);
		const { json } = await finish(asked);
		const { approved } = json.Ask[0][0].data as IDataObject;
		expect(approved).toBe(counted[0].response === 'approve');
		expect(nextStep.items()).toHaveLength(1);
		for (const { data } of answers.filter(({ data: page }) => page.includes('already answered')))
			expect(data).toContain(`>${approved ? 'Approve' : 'Decline'}<`);
		const later = await Promise.all(
			asked.links.map((link) => press(link, { response: 'approve' })),
		);
		for (const { data } of later) expect(data).not.toContain(recorded);
	});

	test('decides once after every process was killed and started again during the question', async () => {
		const asked = await ask();
		const { main, workers, webhookProcessors } = queue.n8n;
		const others = [...workers, ...webhookProcessors];
		await Promise.all([main, ...others].map(async (program) => await program.kill()));
		await main.start();
		await Promise.all(others.map(async (program) => await program.start()));
		for (const link of asked.links) expect((await open(link)).data).toContain('Refund 45,000 MMK');
		const pressed = await Promise.all(
			asked.links.map((link, n) => press(link, { response: n ? 'approve' : 'decline' })),
		);
		const counted = pressed.map(({ data }) => data.includes(recorded));
		expect(counted.filter(Boolean)).toHaveLength(1);
		const { json } = await finish(asked);
		expect(json.Ask[0][0].data).toMatchObject({ approved: counted[1] });
		expect(nextStep.items()).toHaveLength(1);
		expect(queue.sandbox.messages().map(({ to }) => to)).toHaveLength(1);
	});
}
