import type { IDataObject, INode, IRun } from 'n8n-workflow';

import { inCollections } from '../../tools/harness/inCollections';
import { mapped, wantedMessages } from '../support/workflow/sending';
import { credentialsOf } from '../support/workflow/credentialsOf';
import { minute, passTime } from '../support/workflow/passTime';
import { runNode } from '../support/workflow/runWorkflow';
import { runAgainst } from '../support/workflow/runAgainst';
import { useSandbox } from '../support/workflow/useSandbox';
import { answerJson, useStandIn } from '../support/workflow/useStandIn';

/** A window that is closed now: it opens in three days, for a day. */
function closedWindow(): IDataObject {
	const opensOn = new Date(Date.now() + 3 * 86_400_000).toLocaleDateString('en-US', {
		weekday: 'long',
		timeZone: 'UTC',
	});
	const window = { days: [opensOn.toLowerCase()], from: '00:00', until: '24:00', timeZone: 'UTC' };
	return { window };
}

const alwaysOpen = {
	window: {
		days: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'],
		...{ from: '00:00', until: '24:00', timeZone: 'UTC' },
	},
};

describe('the Send Window', () => {
	const sandbox = useSandbox();
	const bulk = runAgainst(sandbox, 'SmsBulkSend');
	const single = runAgainst(sandbox, 'SmsSend');
	const items = wantedMessages(2);

	test('lets SMS Bulk Send not begin outside of it, and says when it opens', async () => {
		const options = { sendWindow: closedWindow() };
		const { error } = await bulk({ ...mapped, ...inCollections(options) }, { items });
		expect(error?.message).toMatch(
			/^Send Window is closed and opens on \w+day \d{4}-\d\d-\d\d at 00:00 \(UTC\)$/,
		);
		expect(sandbox.requests().map(({ path }) => path)).toEqual([]);
	});

	test('lets SMS Send schedule the message to its next opening', async () => {
		const options = { sendWindow: closedWindow() };
		const { json, hints } = await single(
			{ ...mapped, simplify: false, ...inCollections(options) },
			{ items },
		);
		const day = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
		// Midnight in UTC is half past six in the zone in which the service reads schedules.
		expect(json.map(({ scheduledAt }) => scheduledAt)).toEqual(Array(2).fill(`${day} 06:30:00`));
		expect(json[0].scheduledAtUtc).toBe(`${day}T00:00:00.000Z`);
		expect(hints.join()).toMatch(/2 messages are scheduled, .* Send Window is closed/);
	});

	test('says when the first of several messages goes out', async () => {
		const [opens, later] = [3, 5].map((days) =>
			new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10),
		);
		const options = {
			scheduledAt: '={{ $json.at }}',
			...{ scheduledAtTimeZone: 'UTC', sendWindow: closedWindow() },
		};
		const soon = new Date(Date.now() + 3_600_000).toISOString();
		const named = [`${later}T10:00:00`, soon].map((at, n) => ({ ...items[n], at }));
		const { hints } = await single({ ...mapped, ...inCollections(options) }, { items: named });
		expect(hints.join()).toMatch('2 messages are scheduled, the first for');
		expect(hints.join()).toContain(` ${opens} at 00:00 (UTC)`);
	});

	test('changes nothing while it is open', async () => {
		const options = inCollections({ sendWindow: alwaysOpen });
		for (const send of [single, bulk]) {
			const { json } = await send({ ...mapped, ...options }, { items });
			expect(json.map((record) => Object.hasOwn(record, 'scheduledAtUtc'))).toEqual([false, false]);
		}
	});
});

describe('the Send Window of SMS Bulk Send that closes after the first attempt', () => {
	const service = useStandIn();
	const day = 24 * 60 * minute;
	const days = [0, 1].map((n) =>
		new Date(Date.now() + n * day)
			.toLocaleDateString('en-US', { weekday: 'long', timeZone: 'UTC' })
			.toLowerCase(),
	);
	const window = { days, from: '00:00', until: '24:00', timeZone: 'UTC' };
	const parameters = { ...mapped, ...inCollections({ sendWindow: { window } }) };
	const run = async (settings: Partial<INode>, retryOf?: IRun) => {
		const [items, credentials] = [wantedMessages(1), credentialsOf(service)];
		return await runNode(
			{ type: 'SmsBulkSend', parameters, settings },
			{ items, credentials, retryOf },
		);
	};
	const sends = () => service.requests.filter(({ path }) => path === '/rest/send/bulk').length;

	beforeEach(() => {
		service.answer = () => {
			if (sends() === 1) passTime(3 * day);
			return answerJson(403, {});
		};
	});
	afterEach(() => jest.restoreAllMocks());

	test('lets Retry On Fail go on', async () => {
		await run({ retryOnFail: true, maxTries: 2, waitBetweenTries: 1 });
		expect(sends()).toBe(2);
	});

	test('lets a retry by hand not begin', async () => {
		const failed = await run({});
		const { error } = await run({}, failed.run);
		expect(error?.message).toMatch(/^Send Window is closed and opens on /);
		expect(sends()).toBe(1);
	});
});
