import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import {
	hasStarted,
	haveOthersStarted,
	startTiming,
} from '../../../nodes/SmsReceiptTrigger/gatherReceipts';

type Response = Parameters<typeof hasStarted>[0];

/** What is known of a call that is answered with this status. */
async function answerWith(status: number, isAskedAfterwards = false): Promise<boolean> {
	let started: Promise<boolean> | undefined;
	const server = createServer((_, response: ServerResponse) => {
		const ask = () => (started = hasStarted(response as unknown as Response));
		if (!isAskedAfterwards) void ask();
		response.statusCode = status;
		response.end('answer');
		if (isAskedAfterwards) void ask();
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
	await new Promise((resolve) => server.close(resolve));
	return (await started) === true;
}

describe('an execution has started', () => {
	test.each([
		[200, true],
		[500, false],
		[404, false],
	])('when its call gets %i: %p', async (status, expected) => {
		expect(await answerWith(status)).toBe(expected);
		expect(await answerWith(status, true)).toBe(expected);
	});
});

describe('the executions of other calls', () => {
	const { longestWaitMs } = startTiming;
	afterEach(() => void Object.assign(startTiming, { longestWaitMs }));

	test('have started when all of them have', async () => {
		const [yes, no] = [Promise.resolve(true), Promise.resolve(false)];
		expect(await haveOthersStarted([])).toBe(true);
		expect(await haveOthersStarted([yes, yes])).toBe(true);
		expect(await haveOthersStarted([yes, no])).toBe(false);
	});

	test('have not where that is not known in time', async () => {
		startTiming.longestWaitMs = 10;
		expect(await haveOthersStarted([new Promise(() => undefined)])).toBe(false);
	});
});
