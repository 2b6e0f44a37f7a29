import { setTimeout as sleep } from 'node:timers/promises';

import type { IDataObject } from 'n8n-workflow';

import { until } from '../../scripts/n8n/until';
import { describeRun, runWorkflow } from '../../tools/harness';
import { askNode, linkIn, open, press } from './questions';
import { useService } from './useService';

const limit = (resumeAmount: number) => ({
	options: { limitWaitTime: { values: { resumeAmount, resumeUnit: 'minutes' } } },
});
const recorded = 'Your response was recorded';

describe('Limit Wait Time, which n8n itself checks once a minute', () => {
	const service = useService();
	const options = { keep: true, orStatus: ['waiting'] };
	const asked = async (count: number) => {
		const areThere = async () => service.sandbox.messages().length === count || undefined;
		await until(areThere, { what: `${count} questions`, timeoutMs: 20_000 });
	};

	test('closes the page on time, and a later press decides nothing', async () => {
		const node = askNode(service.credentials, limit(0.05));
		const { workflowId, executionId } = await runWorkflow(service.api, [node], [{}], options);
		const link = linkIn(service.sandbox);
		expect((await open(link)).status).toBe(200);
		await sleep(3_100);
		for (const page of [await open(link), await press(link, { response: 'approve' })])
			expect(page.data).not.toMatch(/Refund|recorded\. You can/);
		const { json } = describeRun(workflowId, await service.api.finishedExecution(executionId));
		expect(json.Ask[0]).toMatchObject([{ data: { approved: false }, timedOut: true }]);
	}, 120_000);

	/** n8n keeps the timer of the first question, which it has set by then for its end. */
	test('of an earlier question ends a later one, which says until when it was to wait', async () => {
		const first = askNode(service.credentials, limit(1.1));
		const second = { ...askNode(service.credentials, limit(24 * 60)), name: 'Again' };
		const startedAt = Date.now();
		const run = await runWorkflow(service.api, [first, second], [{}], options);
		await sleep(startedAt + 61_000 - Date.now());
		expect((await press(linkIn(service.sandbox), { response: 'approve' })).data).toContain(
			recorded,
		);
		await asked(2);
		const { json } = describeRun(
			run.workflowId,
			await service.api.finishedExecution(run.executionId),
		);
		expect(Date.now() - startedAt).toBeLessThan(100_000);
		const [{ data, timedOut, waitedUntil }] = json.Again[0] as IDataObject[];
		expect([data, timedOut]).toEqual([{ approved: false }, true]);
		const left = Date.parse(String(waitedUntil)) - Date.now();
		expect(left).toBeGreaterThan(23 * 3_600_000);
		const { data: page } = await press(linkIn(service.sandbox), { response: 'approve' });
		expect(page).not.toContain(recorded);
	}, 180_000);
});
