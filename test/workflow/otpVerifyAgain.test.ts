import type { IDataObject } from 'n8n-workflow';

import { runAgainst } from './runAgainst';
import { shortenWaits } from './shortenWaits';
import { useSandbox } from './useSandbox';
import { answerJson, useStandIn } from './useStandIn';

const genuine = { request_id: 184512007, to: '959779123456', verifiedAt: '2026-11-20 14:01:00' };

describe('OTP Verify with Retry On Fail', () => {
	const sandbox = useSandbox();
	const verify = runAgainst(sandbox, 'OtpVerify');
	const mapped = { requestId: '={{ $json.requestId }}', code: '={{ $json.code }}' };
	const again = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
	shortenWaits();

	const requestCodes = async (count: number) => {
		const items = Array<IDataObject>(count).fill({});
		await runAgainst(sandbox, 'OtpRequest')({ options: { pauseSeconds: 0 } }, { items });
		return sandbox.codes().map(({ requestId, code }) => ({ requestId, code }));
	};

	test('turns nobody away whose code was confirmed before another one could not be checked', async () => {
		const items = await requestCodes(3);
		const path = '/otp/verify';
		sandbox.addFault({ match: { path }, skip: 1, count: 2, effect: { status: 500 } });
		const { outputs, run } = await verify(mapped, { items, settings: again });
		expect(outputs.map((output) => output.map((item) => item.json.requestId))).toEqual([
			[],
			items.map((item) => item.requestId),
		]);
		expect(sandbox.requests().filter((request) => request.path.endsWith(path))).toHaveLength(5);
		const [{ code }] = items;
		expect(JSON.stringify(run.data.executionData?.contextData)).not.toContain(`"${code}"`);
	});
});

describe('OTP Verify with Retry On Fail and a code that changes', () => {
	const service = useStandIn();
	const verify = runAgainst(service, 'OtpVerify');

	test('asks for the code of each try', async () => {
		const answers = [
			answerJson(200, genuine),
			answerJson(500, {}),
			answerJson(400, {}),
			answerJson(400, {}),
		];
		service.answer = () => answers.shift() ?? answerJson(500, {});
		const settings = { retryOnFail: true, maxTries: 2, waitBetweenTries: 5 };
		const { outputs } = await verify(
			{ code: '={{ $now.toMillis() }}' },
			{ items: [{}, {}], settings },
		);
		expect(outputs.map((items) => items.map(({ pairedItem }) => pairedItem))).toEqual([
			[{ item: 0 }, { item: 1 }],
			[],
		]);
		expect(service.requests).toHaveLength(4);
	});
});
