import { randomUUID } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

import { inCollections } from '../../tools/harness/inCollections';
import { mapped, retryOnFail, useScaledTimes, wantedMessages } from '../support/workflow/sending';
import { runAgainst } from '../support/workflow/runAgainst';
import { answerJson, handOnTo, useStandIn } from '../support/workflow/useStandIn';
import { useSandbox } from '../support/workflow/useSandbox';

jest.setTimeout(30_000);

/** What a request for messages gets: its status, and how many of its messages are accepted all the same. */
interface Plan {
	status?: number;
	accepts?: number;
}

/** Times are in the zone of the service, give or take. */
const wallTime = (offsetHours = 6.5) =>
	new Date(Date.now() + offsetHours * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');

const words = (status: number) => ({ name: 'Error', message: 'Invalid number', code: 0, status });
const continued = { onError: 'continueRegularOutput' } as const;
const errorsOf = (json: IDataObject[]) =>
	json.flatMap(({ error }) => (typeof error === 'string' ? [error] : []));

describe('what is sent, and what is said of it', () => {
	const standIn = useStandIn();
	const sandbox = useSandbox();
	useScaledTimes();
	const run = runAgainst(standIn, 'SmsSend');
	const runBulk = runAgainst(standIn, 'SmsBulkSend');

	/** A service that does what the plans say, one after the other, and then what it is asked. */
	const serve = (plans: Plan[], zone?: number): IDataObject[] => {
		const stored: IDataObject[] = [];
		standIn.answer = ({ path, body }) => {
			if (path === '/rest/messages')
				return answerJson(200, { messages: stored, limit: 1000, records: stored.length, start: 0 });
			const request = JSON.parse(body) as { messages?: IDataObject[] };
			const asked = (request.messages ?? [request as IDataObject]).flatMap((one) =>
				[one.to].flat().map((to) => ({ ...one, to: String(to).replace('+', '') })),
			);
			const { status = 201, accepts = status < 300 ? asked.length : 0 } = plans.shift() ?? {};
			const records = asked.slice(0, accepts).map((one) => ({
				...one,
				messageId: randomUUID(),
				status: 'Accepted',
				createdAt: wallTime(zone),
			}));
			stored.unshift(...records);
			return status < 300
				? answerJson(status, { messages: records })
				: answerJson(status, words(status));
		};
		return stored;
	};
	const repeatsIn = (stored: IDataObject[]) =>
		stored.length - new Set(stored.map(({ to }) => to)).size;

	test('a half of a rejected bulk request is sent again without waiting for itself', async () => {
		const stored = serve([{ status: 400 }, { status: 502 }, { status: 400 }]);
		const { json } = await runBulk(mapped, { items: wantedMessages(4), settings: continued });
		expect(errorsOf(json)).toEqual([]);
		expect([stored.length, repeatsIn(stored)]).toEqual([4, 0]);
	});

	test.each(['sendAgain', 'report'])(
		'a rejected half, some of whose messages history shows, is not sent again (%s)',
		async (whenOutcomeUnknown) => {
			const stored = serve([{ status: 400 }, { status: 400, accepts: 2 }]);
			const options = inCollections({ whenOutcomeUnknown });
			const items = wantedMessages(8);
			const { json } = await runBulk({ ...mapped, ...options }, { items, settings: continued });
			expect(repeatsIn(stored)).toBe(0);
			expect(json).toHaveLength(8);
		},
	);

	test.each([429, 400, 401])(
		'a message that an earlier request may have sent is not called unsent after a %i',
		async (status) => {
			serve([{ status: 503 }, ...Array<Plan>(9).fill({ status })]);
			const { json } = await run({}, { settings: continued });
			expect(json[0]).toMatchObject({ details: { kind: 'outcomeUnknown' } });
			expect(JSON.stringify(json)).not.toContain('was not sent');
		},
	);

	test('nor is it called unavailable, since its first request may have been accepted', async () => {
		serve(Array<Plan>(9).fill({ status: 503 }));
		const { json } = await run({}, { settings: continued });
		expect(json[0]).toMatchObject({ details: { kind: 'outcomeUnknown' } });
	});

	test('the rejection of a message is shown, not that an equal one was stopped for it', async () => {
		serve([{}, { status: 400 }]);
		const [one, other] = wantedMessages(2);
		const options = { options: { parallelRequests: 1, recipientsPerRequest: 1 } };
		const { error } = await runBulk({ ...mapped, ...options }, { items: [one, one, other] });
		expect(error?.message).toContain('Invalid number');
	});

	test('a lookup of Skip If Already Sent takes no message from the execution that sends it', async () => {
		const stored = serve([]);
		const { answer } = standIn;
		let begun: () => void = () => undefined;
		const hasBegun = new Promise<void>((resolve) => (begun = resolve));
		let end: () => void = () => undefined;
		const isToEnd = new Promise<void>((resolve) => (end = resolve));
		standIn.answer = async (request) => {
			const response = await answer(request);
			if (request.path !== '/rest/send/bulk') return response;
			begun();
			await isToEnd;
			return response;
		};
		const items = wantedMessages(3);
		const sending = runBulk(mapped, { items, settings: continued });
		await hasBegun;
		const skipping = inCollections({ skipIfAlreadySent: true });
		const skipped = await runBulk({ ...mapped, ...skipping }, { items, settings: continued });
		end();
		expect(skipped.json).toMatchObject(Array(3).fill({ alreadySent: true }));
		expect((await sending).json).toMatchObject(Array(3).fill({ status: 'Accepted' }));
		expect(stored).toHaveLength(3);
	});

	test('Skip If Already Sent does not keep its own next attempt from sending', async () => {
		const stored = serve(Array<Plan>(3).fill({ status: 503 }));
		const skipping = inCollections({ skipIfAlreadySent: true, clientReference: 'order-7' });
		const { json } = await run(skipping, { settings: { ...retryOnFail, maxTries: 2 } });
		expect(json).toMatchObject([{ status: 'Accepted' }]);
		expect(stored).toHaveLength(1);
	});

	test('a lookup that fails before the send leaves nothing in doubt', async () => {
		standIn.answer = () => answerJson(503, words(503));
		const skipping = inCollections({ skipIfAlreadySent: true, clientReference: '={{ $json.to }}' });
		const items = wantedMessages(3);
		const { json, hints } = await run({ ...mapped, ...skipping }, { items, settings: continued });
		expect(standIn.requests.every(({ method }) => method === 'GET')).toBe(true);
		expect(JSON.stringify([json, hints])).not.toContain('may have been sent');
	});

	test.each([-2, 3, 9.5])(
		'where times fit no known zone (%i hours), alike messages are told, not sent again',
		async (zone) => {
			// The first request is accepted whole, and the response of the second one gets lost.
			const stored = serve([{}, { status: 502, accepts: 3 }], zone);
			const options = { options: { recipientsPerRequest: 3, parallelRequests: 1 } };
			const items = wantedMessages(6);
			const { json } = await runBulk({ ...mapped, ...options }, { items, settings: continued });
			expect(repeatsIn(stored)).toBe(0);
			expect(json).toHaveLength(6);
		},
	);

	test.each<[string, (reference: unknown) => unknown]>([
		['trimmed', (text) => String(text).trim()],
		['as a number', Number],
		['in another case', (text) => String(text).toUpperCase()],
	])('a reference that history lists %s is recognized', async (_, change) => {
		standIn.answer = handOnTo(sandbox, (record) => ({
			...record,
			clientReference: change(record.clientReference),
		}));
		const [clientReference] = _ === 'as a number' ? ['20261123'] : [' order-x '];
		sandbox.addFault({
			match: { path: '/rest/send' },
			when: 'after',
			effect: { status: 502 },
			count: 1,
		});
		const { json } = await run({ options: { clientReference } }, { settings: continued });
		expect(json).toMatchObject([{ status: expect.any(String) as unknown }]);
		expect(sandbox.messages()).toHaveLength(1);
	});

	test('a time zone that does not exist is named before anything is sent', async () => {
		serve([]);
		const { error } = await run({}, { credentials: { serviceTimeZone: 'GMT+6:30' } });
		expect(error?.message).toContain(
			'Service Time Zone in the credential is not a known time zone',
		);
		expect(standIn.requests).toEqual([]);
	});
});
