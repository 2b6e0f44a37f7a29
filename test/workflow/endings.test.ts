import type { INode } from 'n8n-workflow';

import { credentialsOf } from '../support/workflow/credentialsOf';
import { onErrors } from '../support/workflow/onErrors';
import { runAgainst, workingParameters, type NodeName } from '../support/workflow/runAgainst';
import { runNode } from '../support/workflow/runWorkflow';
import { shortenWaits } from '../support/workflow/shortenWaits';
import { retryOnFail } from '../support/workflow/sending';
import { answerJson, useStandIn } from '../support/workflow/useStandIn';

const refuse = (status: number, message: string, headers = {}) =>
	answerJson(status, { name: 'Refused', message, code: 0, status }, headers);
const rejectRecord = (message: string) =>
	answerJson(201, { messages: [{ status: false, message, to: '959779123456' }] });

const unauthorized = () => refuse(401, 'Your request was made with invalid credentials.');

type Case = [NodeName, string, () => Response];

/** Each fails again however often it is repeated. */
const lasting: Case[] = [
	['SmsSend', 'a wrong key', unauthorized],
	['SmsBulkSend', 'a wrong key', unauthorized],
	['SmsHistory', 'a wrong key', unauthorized],
	['SmsBalance', 'a wrong key', unauthorized],
	['OtpRequest', 'a wrong key', unauthorized],
	['OtpVerify', 'a wrong key', unauthorized],
	['SmsSend', 'an unregistered sender ID', () => rejectRecord('Invalid Sender ID')],
	['SmsSend', 'no balance', () => refuse(402, 'Insufficient balance')],
	['OtpRequest', 'no OTP product', () => refuse(400, 'We were unable to send your OTP.')],
];

/** Each may be gone at the next attempt. */
const passing: Case[] = [
	['SmsSend', 'a permission', () => refuse(403, 'Forbidden')],
	['SmsSend', 'a limit', () => refuse(400, 'Too many requests, please try again later.')],
	['SmsSend', 'a wait', () => refuse(400, 'Rejected', { 'Retry-After': '0' })],
	['SmsSend', 'a conflict', () => refuse(409, 'Conflict')],
	['OtpRequest', 'an outage', () => refuse(503, 'Service Unavailable')],
	['OtpVerify', 'an outage', () => refuse(503, 'Service Unavailable')],
	['OtpRequest', 'a missing page', () => refuse(404, 'Not Found')],
];

const once: Partial<INode> = { retryOnFail: false };

describe('a failure', () => {
	const service = useStandIn();
	shortenWaits();

	/** @returns the result, with the requests of one attempt and of five */
	const compare = async ([type, , answer]: Case, settings: Partial<INode> = {}) => {
		service.answer = answer;
		const run = async (more: Partial<INode>) => {
			service.requests.length = 0;
			const items = type.startsWith('Sms') ? [{}, {}] : [{}];
			const options = { items, settings: { ...settings, ...more } };
			const { error, hints, outputs } = await runAgainst(service, type)({}, options);
			const words = { message: error?.message, description: error?.description, hints, outputs };
			const told = JSON.stringify(words).replace(/n8n-\w{16}/g, 'n8n-run');
			return { told, requests: service.requests.length };
		};
		return { single: await run(once), repeated: await run(retryOnFail) };
	};

	test.each(lasting)(
		'of %s that lasts, %s, costs no further request and leaves by the same output',
		async (...one) => {
			for (const onError of onErrors) {
				const { single, repeated } = await compare(one, { onError });
				expect(repeated.requests).toBe(single.requests);
				expect(repeated.told).toBe(single.told);
			}
		},
	);

	test.each(passing)('of %s that may pass, %s, is tried again', async (...one) => {
		const { single, repeated } = await compare(one);
		expect(repeated.requests).toBeGreaterThan(single.requests);
	});

	test('that lasts is tried again in a retry by hand', async () => {
		const node = { type: 'SmsSend', parameters: workingParameters.SmsSend } as const;
		const options = { credentials: credentialsOf(service) };
		service.answer = unauthorized;
		const { run } = await runNode({ ...node, settings: retryOnFail }, options);
		service.requests.length = 0;
		await runNode({ ...node, settings: retryOnFail }, { ...options, retryOf: run });
		expect(service.requests).not.toEqual([]);
	});

	test('that lasts does not keep a message from another attempt that may be sent by then', async () => {
		const answers = [() => refuse(503, 'Service Unavailable'), () => refuse(402, 'No balance')];
		service.answer = ({ path }) => {
			if (path !== '/rest/send') return answerJson(200, { messages: [], records: 0 });
			return (answers.shift() ?? unauthorized)();
		};
		const items = [{ to: '09779123451' }, { to: '09779123452' }];
		const parameters = { to: '={{ $json.to }}', safeguards: { whenOutcomeUnknown: 'report' } };
		await runAgainst(service, 'SmsSend')(parameters, { items, settings: retryOnFail });
		expect(service.requests.filter(({ path }) => path === '/rest/send').length).toBeGreaterThan(2);
	});
});
