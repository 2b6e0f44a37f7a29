import type { IDataObject } from 'n8n-workflow';

import { runAgainst } from '../support/workflow/runAgainst';
import { shortenWaits } from '../support/workflow/shortenWaits';
import { useSandbox } from '../support/workflow/useSandbox';
import { processorMs } from '../support/unit/processorTime';

describe('OTP Request and its limits', () => {
	const sandbox = useSandbox();
	const request = runAgainst(sandbox, 'OtpRequest');
	const settings = { onError: 'continueRegularOutput' } as const;
	shortenWaits();

	/** One workflow, executed for each recipient, all at the same time. */
	const requestAll = async (recipients: string[], options: IDataObject = {}, more = {}) => {
		const workflowId = crypto.randomUUID();
		const runs = recipients.map(
			async (to) => await request({ to, options }, { settings, workflowId, ...more }),
		);
		return (await Promise.all(runs)).map(({ json }) => json[0]);
	};
	const limited = (retryAfterSeconds: unknown) => ({
		to: expect.any(String),
		error: expect.stringMatching(/^No code was sent: .*$/),
		details: {
			to: expect.any(String),
			kind: 'limited',
			field: expect.any(String),
			itemIndex: 0,
			description: expect.stringMatching(/^Nothing was charged\./),
			retryAfterSeconds,
		},
	});
	const same = (count: number) => Array<string>(count).fill('09779123456');
	const sentTo = () => sandbox.codes().map(({ to }) => to);

	test('sends one code in 30 seconds where no option is set, however many ask at once', async () => {
		const answers = await requestAll(same(50));
		expect(sandbox.requests().map(({ path }) => path)).toHaveLength(1);
		const refused = answers.filter((answer) => 'error' in answer);
		expect(refused).toHaveLength(49);
		for (const answer of refused) expect(answer).toEqual(limited(30));
	});

	const different = (count: number) =>
		Array.from({ length: count }, (_, n) => `0977912${1000 + n}`);

	test.each([
		['Max Codes per Hour', { maxPerHour: 7 }, different(30), 7, 60],
		['Max Codes per Hour', {}, different(320), 300, 60],
		['Max Codes per Recipient per Hour', { maxPerRecipientPerHour: 1 }, same(50), 1, 3600],
		['No limit', { maxPerHour: 0 }, different(320), 320, 0],
	])('%s with %j stops after so many codes', async (label, options, to, sent, seconds) => {
		const responses = await requestAll(to, options);
		expect(sandbox.requests().map(({ path }) => path)).toHaveLength(sent);
		const refused = responses.filter((response) => 'error' in response);
		expect(refused).toHaveLength(to.length - sent);
		for (const response of refused) {
			expect(response).toEqual(limited(seconds));
			expect(JSON.stringify(response)).toContain(`edit ${label} under Options.`);
		}
	});

	describe('once a code is verified', () => {
		const verify = runAgainst(sandbox, 'OtpVerify');
		const verifyLast = async (isRight = true) => {
			const { requestId, code = '' } = sandbox.codes().at(-1) ?? {};
			const wrong = code.replace(/./g, (digit) => String((Number(digit) + 1) % 10));
			await verify({ requestId, code: isRight ? code : wrong }, { settings });
		};

		test('another one can be requested where the limit of the hour is reached, and no third', async () => {
			const workflowId = crypto.randomUUID();
			const options = { maxPerHour: 1 };
			const ask = async (to: string) =>
				(await request({ to, options }, { settings, workflowId })).json[0];
			const limited = { details: { field: 'maxPerHour', retryAfterSeconds: 60 } };
			const [first, second, third] = different(3);
			expect(await ask(first)).toHaveProperty('requestId');
			await verifyLast(false);
			expect(await ask(second)).toMatchObject(limited);
			await verifyLast();
			expect(await ask(second)).toHaveProperty('requestId');
			expect(await ask(third)).toMatchObject(limited);
		});

		test('another one can be requested after Retry On Fail has requested the first one twice', async () => {
			const workflowId = crypto.randomUUID();
			const options = { maxPerHour: 1 };
			const again = { ...settings, retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
			const match = { path: '/otp/request' };
			sandbox.addFault({ match, when: 'after', effect: 'cut', count: 1 });
			await request({ to: different(1)[0], options }, { settings: again, workflowId });
			expect(sentTo()).toHaveLength(2);
			await verifyLast();
			const { json } = await request({ options }, { settings, workflowId });
			expect(json[0]).toHaveProperty('requestId');
		});
	});

	test('sends one code to a mailbox in whatever way its address is written', async () => {
		await requestAll(['victim@gmail.com', 'V.ic.tim+a@googlemail.com', 'VICTIM@GMAIL.com']);
		await requestAll(['v.ictim@example.com', 'victim@example.com']);
		expect(sentTo()).toHaveLength(3);
	});

	test('sends one code to a number with the national 0 behind its country code or without', async () => {
		const numbers = ['+447911123456', '+4407911123456', '+44 (0)7911 123456', '00447911123456'];
		await requestAll(numbers, { allowedCountryCodes: '44' });
		expect(sandbox.requests().map(({ path }) => path)).toHaveLength(1);
	});

	test.each([
		['@', 4_000_000],
		['{', 4_000_000],
		['9', 4_000_000],
		['\u200b', 4_000_000],
		['{{', 1_000_000],
		['a.', 1_000_000],
		['a@', 1_000_000],
	])('rejects a recipient of %j, %i times, at once', async (piece, times) => {
		const text = piece.repeat(times);
		const ms = await processorMs(async () => {
			for (const to of [text, `${text}@example.com`, `a@${text}`]) {
				const { json } = await request({ to: '={{ $json.to }}' }, { items: [{ to }], settings });
				expect(json[0]).toMatchObject({ details: { kind: 'input', field: 'to' } });
			}
		});
		expect(ms).toBeLessThan(3000);
		expect(sandbox.requests().map(({ path }) => path)).toEqual([]);
	});

	test('sends one code to the recipient of several items, also where the first response is lost', async () => {
		sandbox.addFault({ match: { path: '/otp/request' }, when: 'after', effect: 'cut', count: 1 });
		const items = [{}, {}, {}];
		const { outputs } = await request({}, { items, settings });
		const same = expect.stringMatching(/^No code was sent: this recipient got a code a moment ago/);
		expect(outputs[0].map(({ json }) => json.error)).toEqual([expect.anything(), same, same]);
		expect(sentTo()).toHaveLength(1);
	});

	test('counts a code whose response got lost, since it can be out', async () => {
		const workflowId = crypto.randomUUID();
		const match = { path: '/otp/request' };
		sandbox.addFault({ match, when: 'after', effect: 'cut', count: 1 });
		expect((await request({}, { settings, workflowId })).json[0]).toHaveProperty('error');
		expect((await request({}, { settings, workflowId })).json[0]).toEqual(limited(30));
		expect(sentTo()).toHaveLength(1);
	});

	test.each(['stopWorkflow', 'continueRegularOutput'] as const)(
		'does not count an item again that Retry On Fail runs again, with On Error %s',
		async (onError) => {
			sandbox.addFault({ match: { path: '/otp/request' }, effect: { status: 500 }, count: 1 });
			const again = { onError, retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
			const { json, error } = await request({}, { settings: again });
			expect(error).toBeUndefined();
			expect(json).toEqual([expect.objectContaining({ to: '959779123456' })]);
			expect(sandbox.requests().map(({ path }) => path)).toHaveLength(2);
		},
	);

	test('stops the workflow with a sentence, and what to do', async () => {
		await request({}, { workflowId: 'w' });
		const { error } = await request({}, { workflowId: 'w' });
		expect(error).toMatchObject({
			message: 'No code was sent: this recipient got a code a moment ago',
			description: expect.stringContaining('in 30 seconds'),
		});
	});
});

describe('OTP Request and where codes may go', () => {
	const sandbox = useSandbox();
	const request = runAgainst(sandbox, 'OtpRequest');
	const settings = { onError: 'continueRegularOutput' } as const;
	const requestTo = async (to: string, parameters: IDataObject = {}) =>
		(await request({ to, ...parameters }, { settings })).json[0];
	const inputFault = (field: string, sentence: RegExp) => ({
		to: expect.any(String),
		error: expect.stringMatching(sentence),
		details: expect.objectContaining({ kind: 'input', field }),
	});

	test.each(['+6591234567', '+12025550123', '+95', '0065 9123 4567'])(
		'sends no code by SMS to %s',
		async (to) => {
			expect(await requestTo(to)).toHaveProperty('error');
			expect(sandbox.requests().map(({ path }) => path)).toEqual([]);
		},
	);

	test('says that a number is abroad, and which option can allow it', async () => {
		expect(await requestTo('+6591234567')).toEqual(
			inputFault(
				'allowedCountryCodes',
				/^Codes can't be sent to this country.*Allowed Country Codes/,
			),
		);
	});

	test.each([
		['95, 65', ['959779123456', '+6591234567']],
		['+65', ['+6591234567']],
		['65;1', ['+6591234567', '+12025550123']],
	])('sends to the countries of the list %j', async (allowedCountryCodes, expected) => {
		const numbers = ['09779123456', '+6591234567', '+12025550123'];
		for (const number of numbers) await requestTo(number, { options: { allowedCountryCodes } });
		expect(sandbox.requests().map(({ query }) => query.to)).toEqual(expected);
	});

	test('sends to an email address whatever countries are allowed', async () => {
		await requestTo('a@example.com', { options: { allowedCountryCodes: '65' } });
		expect(sandbox.codes()).toMatchObject([{ channel: 'EMAIL' }]);
	});

	test('escapes HTML in Brand for email, and for nothing else', async () => {
		const brand = '<a href="//evil.example">Win</a> & \'co\'';
		const options = { template: '<b>{code}</b> & {brand}' };
		await request({ to: 'a@example.com', brand, options });
		await request({ brand, options });
		const [email, sms] = sandbox.requests().map(({ query }) => query.brand);
		expect(email).toBe('&lt;a href=&quot;//evil.example&quot;&gt;Win&lt;/a&gt; &amp; &#39;co&#39;');
		expect(sms).toBe(brand);
		for (const { query } of sandbox.requests()) expect(query.template).toBe(options.template);
	});
});
