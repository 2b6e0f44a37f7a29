import { runAgainst } from '../support/workflow/runAgainst';
import { shortenWaits } from '../support/workflow/shortenWaits';
import { useSandbox } from '../support/workflow/useSandbox';
import { answerJson, useStandIn, type ReceivedRequest } from '../support/workflow/useStandIn';

describe('SMS History over several pages', () => {
	const sandbox = useSandbox();
	const list = runAgainst(sandbox, 'SmsHistory');

	test('reads pages of 1,000 in parallel once the first has told their number', async () => {
		sandbox.seedMessages(5500);
		// Long enough for three to meet on a busy machine.
		sandbox.configure({ latencyMs: 500 });
		const { json } = await list({ options: { parallelRequests: 3 } });
		expect(json.map((record) => record.message)).toEqual(
			Array.from({ length: 5500 }, (_, index) => `Seeded message ${5500 - index}`),
		);
		expect(sandbox.stats()).toMatchObject({ requests: 6, peakInFlight: 3 });
	});

	test('never calls the address that links name', async () => {
		sandbox.configure({ linksBaseUrl: 'http://127.0.0.1:1/api' });
		sandbox.seedMessages(1500);
		expect((await list()).json).toHaveLength(1500);
	});
});

const idOf = ({ messageId }: { messageId?: unknown }) => messageId;

describe('SMS History of a long list', () => {
	const service = useStandIn();
	const list = runAgainst(service, 'SmsHistory');

	test('reads more pages than a lookup, of which 200 are the most', async () => {
		service.answer = ({ query: { page } }) => {
			const messages = Number(page) > 201 ? [] : [{ messageId: `m-${page}`, to: '959779123456' }];
			return answerJson(200, { messages, limit: 1000 });
		};
		expect((await list()).json).toHaveLength(201);
	});
});

describe('SMS History and responses that a lenient reader accepts', () => {
	const service = useStandIn();
	const list = runAgainst(service, 'SmsHistory');
	const records = Array.from({ length: 70 }, (_, index) => ({ messageId: `m-${index}` }));
	shortenWaits();

	/** Pages of `size`, whatever was asked for, in an envelope of the test. */
	const answerPages =
		(size: number, envelope: object) =>
		({ query }: ReceivedRequest) => {
			const start = (Number(query.page) - 1) * size;
			return answerJson(200, { messages: records.slice(start, start + size), ...envelope });
		};

	test.each([
		['numbers as text', { limit: '20', records: '70' }],
		['no number of records', { limit: 20 }],
		['a number of records that is too small', { limit: 20, records: 0 }],
		['a number of records that is none', { limit: 20, records: 'many' }],
		['no page size', { records: 70 }],
		['a page size of 0', { limit: 0, records: 70 }],
		['the page size that was asked for, and not the one in effect', { limit: 1000, records: 70 }],
		['neither', {}],
		['null for both', { limit: null, records: null }],
	])('returns every record once with %s', async (_, envelope) => {
		service.answer = answerPages(20, envelope);
		const { json, error } = await list();
		expect(error).toBeUndefined();
		expect(json.map(idOf)).toEqual(records.map(idOf));
		expect(service.requests.length).toBeLessThanOrEqual(7);
	});

	test('returns every record once when the service has no pages', async () => {
		service.answer = () => answerJson(200, { messages: records });
		expect((await list()).json).toEqual(records);
	});

	test('leaves out what is not a record', async () => {
		const messages = [null, 'text', [], records[0], 7];
		service.answer = () => answerJson(200, { messages, limit: 1000, records: 1 });
		expect((await list()).json).toEqual([records[0]]);
	});
});
