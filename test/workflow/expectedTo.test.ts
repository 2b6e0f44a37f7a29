import type { IDataObject } from 'n8n-workflow';

import { onErrors } from '../support/workflow/onErrors';
import { runAgainst } from '../support/workflow/runAgainst';
import { credentialsOf } from '../support/workflow/credentialsOf';
import { runNode } from '../support/workflow/runWorkflow';
import { answerJson, useStandIn } from '../support/workflow/useStandIn';

const number = '959791234567';
const verifiedAt = '2026-11-20 14:01:00';

describe('OTP Verify with Must Belong To', () => {
	const service = useStandIn();
	const run = runAgainst(service, 'OtpVerify');
	const confirm = (to: unknown) => {
		service.answer = () => answerJson(200, { request_id: 184512007, to, verifiedAt });
	};
	const verify = async (expectedTo: unknown, settings = {}) => {
		const { outputs } = await run(
			{ expectedTo: '={{ $json.to }}' },
			{ items: [{ to: expectedTo } as IDataObject], settings },
		);
		return { rejected: outputs[0]?.map(({ json }) => json), verified: outputs[1] ?? [] };
	};
	const otherRecipient = {
		verified: false,
		requestId: '184512007',
		reason: 'otherRecipient',
		message: 'The service confirmed this code for a different recipient than Must Belong To.',
	};

	test.each([
		['09791234567', number],
		['၀၉၇၉၁၂၃၄၅၆၇', number],
		['０９７９１２３４５６７', number],
		['00959791234567', number],
		['+95 (0)9 791-234-567', number],
		['\u202a+95 9 791 234 567\u202c', number],
		[959791234567, number],
		['09791234567', '+959791234567'],
		['+65 9123 4567', '6591234567'],
		['+44 07911 123456', '+447911123456'],
		['+44 (0)7911 123456', '4407911123456'],
		['Name@Example.COM', 'name@example.com'],
	])('verifies %j by a confirmation for %j', async (expectedTo, to) => {
		confirm(to);
		const { verified } = await verify(expectedTo);
		expect(verified.map(({ json }) => json)).toEqual([
			{ verified: true, requestId: '184512007', to, verifiedAt },
		]);
	});

	test.each([
		['09791234567', '959791234568'],
		['09791234567', '959791234567@evil.example'],
		['09791234567', '09791234567@evil.example'],
		['959791234567@evil.example', number],
		['09791234567', 'name@example.com'],
		['09791234567', '959791234567, 959791234568'],
		['09791234567', 'number 959791234567'],
		['name@example.com', 'name@example.com.evil.example'],
		['name@example.com', 'name@evil.example'],
		['name@example.com', 'evil@x.example,name@example.com'],
		['name@example.com', 'name+x@example.com'],
		['n.ame@gmail.com', 'name@gmail.com'],
		['name@gmail.com', 'name@googlemail.com'],
		['name@gmail.com', 'name@gmaіl.com'],
		// The sign for kelvin, whose lower case is a k.
		['kay@example.com', '\u212Aay@example.com'],
		['strasse@example.com', 'straße@example.com'],
		['name@fass.de', 'name@faß.de'],
		['name@xn--mnchen-3ya.de', 'name@münchen.de'],
		['+390312345678', '+39312345678'],
	])('rejects where %j must be proved, and the service confirms %j', async (expectedTo, to) => {
		confirm(to);
		for (const onError of onErrors) {
			expect(await verify(expectedTo, { onError })).toEqual({
				rejected: [otherRecipient],
				verified: [],
			});
		}
	});

	test('verifies without it, and names nobody where the service masks the recipient', async () => {
		confirm('959*******');
		const { outputs } = await run();
		expect(outputs[1].map(({ json }) => json)).toEqual([
			{ verified: true, requestId: '184512007', verifiedAt },
		]);
	});

	test.each(['959*******', '9597912*****', '95979*234567', 'n***@example.com'])(
		'rejects everybody where the service masks them as %j, and says what helps',
		async (to) => {
			confirm(to);
			const { rejected, verified } = await verify('09791234567');
			expect(verified).toEqual([]);
			expect(rejected).toMatchObject([
				{
					reason: 'otherRecipient',
					message: expect.stringMatching(/masks the recipient.*leave it empty/),
				},
			]);
		},
	);

	test.each([
		undefined,
		null,
		'',
		'  ',
		'\u200b',
		'hello',
		'@',
		'09791234567, 09791234568',
		['09791234567'],
		{ to: '09791234567' },
		true,
		NaN,
		'0'.repeat(5_000),
		...['name@münchen.de', 'name@exa\u00ADmple.com', '\u202e7654321970'],
	])('rejects %j, which no code can prove, without using the code up', async (expectedTo) => {
		confirm(number);
		const { rejected, verified } = await verify(expectedTo);
		expect(verified).toEqual([]);
		expect(rejected).toEqual([
			{ ...otherRecipient, message: expect.stringMatching(/^The code was not checked\. Must Be/) },
		]);
		expect(service.requests).toEqual([]);
	});

	test.each(['=', '={{ $json.none }}', '={{ "" }}', '={{ undefined }}', '={{ null }}', ' '])(
		'rejects the field %j, which is not empty but names nobody',
		async (expectedTo) => {
			confirm(number);
			const { outputs } = await run({ expectedTo });
			expect(outputs.map((items) => items.map(({ json }) => json.reason))).toEqual([
				['otherRecipient'],
				[],
			]);
			expect(service.requests).toEqual([]);
		},
	);

	test('leaves the rejection of a wrong code as it is', async () => {
		service.answer = () => answerJson(400, {});
		const { rejected } = await verify('09791234567');
		expect(rejected).toMatchObject([{ reason: 'wrongOrExpired' }]);
	});

	test('accepts any recipient where the field is empty', async () => {
		confirm('anybody@example.com');
		for (const parameters of [{}, { expectedTo: '' }]) {
			expect((await run(parameters)).outputs[1]).toHaveLength(1);
		}
	});

	test('asks once, also when it runs again because another item failed', async () => {
		confirm('959791234568');
		const items = [{ to: '09791234567', code: '0427' }, { to: '09791234567' }];
		const settings = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
		const parameters = { expectedTo: '={{ $json.to }}', code: '={{ $json.code }}' };
		const { outputs } = await run(parameters, { items, settings });
		expect(outputs[1] ?? []).toEqual([]);
		expect(service.requests).toHaveLength(1);
	});

	describe('as a tool of an AI agent', () => {
		const ask = async (parameters: IDataObject) => {
			const { json } = await runNode(
				{
					type: 'OtpVerifyTool',
					parameters: { requestId: '184512007', code: '0427', ...parameters },
				},
				{ credentials: credentialsOf(service) },
			);
			return json;
		};

		test.each([{}, { expectedTo: '' }])('needs to know whom the code proves: %j', async (none) => {
			confirm(number);
			expect(await ask(none)).toEqual([
				{
					...{ verified: false, reason: 'couldNotCheck' },
					error: expect.stringContaining('Must Belong To is empty') as string,
					details: expect.objectContaining({ field: 'expectedTo' }) as IDataObject,
				},
			]);
			expect(service.requests).toEqual([]);
		});

		test('says that a model which names nobody has verified nobody', async () => {
			confirm(number);
			expect(await ask({ expectedTo: "={{ $fromAI('none') ?? '' }}" })).toEqual([
				expect.not.objectContaining({ verified: true }),
			]);
			expect(service.requests).toEqual([]);
		});

		test('says whether the recipient that the model names is verified', async () => {
			confirm(number);
			expect(await ask({ expectedTo: '09791234567' })).toMatchObject([{ verified: true }]);
			expect(await ask({ expectedTo: '09791234568' })).toMatchObject([
				{ verified: false, reason: 'otherRecipient' },
			]);
		});
	});
});
