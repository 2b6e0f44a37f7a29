import { runAgainst } from '../support/workflow/runAgainst';
import { shortenWaits } from '../support/workflow/shortenWaits';
import { useSandbox } from '../support/workflow/useSandbox';

interface BulkBody {
	messages: Array<{ to: string[]; message: string; from: string }>;
}

const mapped = { to: '={{ $json.to }}', message: '={{ $json.text }}', from: '={{ $json.sender }}' };
const makeItems = (count: number) =>
	Array.from({ length: count }, (_, index) => ({
		to: `0977${String(9_000_000 + index)}`,
		text: `Message ${index}`,
		sender: 'Shop',
	}));

describe('SMS Bulk Send', () => {
	const sandbox = useSandbox();
	const sendBulk = runAgainst(sandbox, 'SmsBulkSend');
	const bodies = () => sandbox.requests().map((request) => request.body as BulkBody);
	shortenWaits();

	describe('with On Error set to stop', () => {
		const settings = { onError: 'stopWorkflow' } as const;
		/** More than fit into a request, so that the first ones would be out when the wrong ones are read. */
		const items = makeItems(250);

		test('says of a single wrong one what would be right, and that nothing was sent', async () => {
			const wrong = items.map((item, n) => (n === 240 ? { ...item, text: '' } : item));
			const { error } = await sendBulk(mapped, { items: wrong, settings });
			expect(error).toMatchObject({
				message: 'text is empty (item 241 of 250)',
				description: expect.stringMatching(
					/^Nothing was sent\. Message uses this field\. Fill it in/,
				),
			});
			expect(sandbox.requests().map(({ path }) => path)).toEqual([]);
		});

		test('evaluates nothing twice', async () => {
			let reads = 0;
			const counted = makeItems(20).map(({ to, sender, text }) => ({
				...{ to, sender },
				get text() {
					reads += 1;
					return text;
				},
			}));
			const readAll = async (onError: 'stopWorkflow' | 'continueRegularOutput') => {
				reads = 0;
				await sendBulk(mapped, { items: counted, settings: { onError } });
				return reads;
			};
			expect(await readAll('stopWorkflow')).toBe(await readAll('continueRegularOutput'));
		});
	});

	test.each([
		['09791234567', 3, true],
		['={{ $json.phone }}', 3, false],
		['09791234567', 1, false],
	])('with To %s and %i items, warns of one recipient for all: %s', async (to, count, isWarned) => {
		const items = Array.from({ length: count }, (_, n) => ({ phone: `0979123456${n}` }));
		const { json } = await sendBulk({ to, dryRun: true }, { items });
		expect(JSON.stringify(json[0].warnings).includes('To is the same')).toBe(isWarned);
		expect((await sendBulk({ to }, { items })).json).toHaveLength(count);
	});

	test('puts messages with the same text and sender into one entry', async () => {
		const items = ['A', 'B', 'A'].map((text, n) => ({ ...makeItems(3)[n], text }));
		const { json } = await sendBulk(mapped, { items });
		expect(bodies()[0].messages.map(({ to, message }) => [message, to.length])).toEqual([
			['A', 2],
			['B', 1],
		]);
		expect(json.map((record) => record.message)).toEqual(['A', 'B', 'A']);
	});

	test('tells sender IDs apart by upper and lower case', async () => {
		const items = ['Shop', 'SHOP'].map((sender, n) => ({ ...makeItems(2)[n], text: 'A', sender }));
		const { json } = await sendBulk(mapped, { items });
		expect(json.map((record) => record.from)).toEqual(['Shop', 'SHOP']);
	});

	test('accepts several recipients in an item, in all notations, and pairs each with it', async () => {
		const items = [
			{ to: '09779123456, +95 9 951 234 567\n၀၉၂၅၄၁၂၃၄၅၆', text: 'A', sender: 'Shop' },
			{ to: ['0065 9123 4567', '09779123457'], text: 'B', sender: 'Shop' },
		];
		const { outputs } = await sendBulk(mapped, { items });
		expect(outputs[0].map(({ json, pairedItem }) => [json.to, pairedItem])).toEqual([
			['959779123456', { item: 0 }],
			['959951234567', { item: 0 }],
			['959254123456', { item: 0 }],
			['6591234567', { item: 1 }],
			['959779123457', { item: 1 }],
		]);
	});

	test('pairs shuffled responses by number and text, and keeps the order of the items', async () => {
		sandbox.configure({ shuffleBulk: true });
		const items = [...makeItems(40), ...makeItems(40).map((item) => ({ ...item, text: 'Same' }))];
		const { outputs } = await sendBulk(mapped, { items });
		expect(outputs[0].map(({ json }) => json.message)).toEqual(items.map((item) => item.text));
		expect(outputs[0].map(({ json }) => json.to)).toEqual(
			items.map((item) => item.to.replace('09', '959')),
		);
		expect(outputs[0].map(({ pairedItem }) => pairedItem)).toEqual(
			items.map((_, item) => ({ item })),
		);
	});

	test.each([
		[undefined, [100, 50]],
		[60, [60, 60, 30]],
		[1000, [150]],
	])('packs %p recipients into a request', async (recipientsPerRequest, sizes) => {
		await sendBulk({ ...mapped, options: { recipientsPerRequest } }, { items: makeItems(150) });
		expect(bodies().map(({ messages }) => messages.flatMap(({ to }) => to).length)).toEqual(sizes);
	});

	test('waits between requests as long as Pause says', async () => {
		const options = { recipientsPerRequest: 1, pauseBetweenRequests: 60 };
		const begin = Date.now();
		await sendBulk({ ...mapped, options }, { items: makeItems(4) });
		// Counted from the beginning: a busy machine can only make the last one later.
		expect(sandbox.requests()[3].at - begin).toBeGreaterThanOrEqual(3 * 60 - 5);
	});

	test('rejects one number among the records of a 2xx, and returns the others', async () => {
		const items = makeItems(3);
		items[1].to = '09000000011';
		const { json } = await sendBulk(mapped, {
			items,
			settings: { onError: 'continueRegularOutput' },
		});
		expect(json.map((record) => record.status ?? record.error)).toEqual([
			'Accepted',
			'Rejected by the service: Invalid Sender ID (item 2 of 3)',
			'Accepted',
		]);
	});

	test('reports below the output the outcome of a run with Continue', async () => {
		const items = [
			{ phone: '09779101001, 09779101001', name: 'Aye' },
			{ phone: 'nobody', name: 'Ko' },
			{ phone: '09779101002', name: 'Su' },
		];
		const parameters = { to: '={{ $json.phone }}', message: '=Hi {{ $json.name }}' };
		const settings = { onError: 'continueRegularOutput' as const };
		const { hints, json } = await sendBulk(parameters, { items, settings });
		expect(hints).toEqual(['2 sent (2 parts), 1 skipped (duplicates: 1), 1 not sent: see error.']);
		expect(Object.entries(json[2]).slice(0, 2)).toEqual([
			['to', 'nobody'],
			['name', 'Ko'],
		]);
		expect(sandbox.messages().map(({ to }) => to)).toHaveLength(2);
	});

	test('tells of a first sheet all that is wrong with it, at once', async () => {
		const items = Array.from({ length: 30 }, (_, n) => ({
			row_number: n + 2,
			phone: n % 10 === 4 ? `97911${n}` : n % 15 === 8 ? '' : `0979110${1000 + n}`,
		}));
		const parameters = { to: '={{ $json.phone }}', message: '=Dear {{ $json.Name }}, it is ready' };
		const { error } = await sendBulk(parameters, { items });
		expect(error?.message).toBe('Message: no item has the field Name; they have row_number, phone');
		expect(String(error?.description).split('\n')).toEqual([
			'Nothing was sent. Correct the name, or drag the field from the input. If it may be empty, add the option Allow Empty Fields.',
			'Also, 5 of 30 items cannot be sent:',
			expect.stringMatching(/^3 items: To is too short .* \(row 6: "979114"; .*\)\. Use /),
			'2 items: phone is empty (row 10; row 25). To uses this field. Fill it in, or leave the row out, for example with a Filter node.',
		]);
		expect(sandbox.requests()).toEqual([]);
	});

	test.each([
		['to', 'To', {}],
		['options.timeout', 'Request Timeout (Milliseconds)', { timeout: "={{ $('Sheet').first() }}" }],
	])(
		'names the field of an expression that n8n cannot evaluate: %s',
		async (name, label, options) => {
			const to = name === 'to' ? "={{ $('Sheet').item.json.phone }}" : '09779101001';
			const { error } = await sendBulk({ to, options }, { items: [{}] });
			expect(error?.message).toContain(`n8n cannot evaluate the expression in ${label}: `);
			expect(error?.description).toMatch(/^Nothing was sent\. Correct the expression\./);
			expect(sandbox.requests()).toEqual([]);
		},
	);
});
