import type { INode } from 'n8n-workflow';

import type { Sandbox } from '../../sandbox';
import { credentialsOf } from '../support/workflow/credentialsOf';
import { retryOnFail, shortenDelivery } from '../support/workflow/sending';
import { runAgainst, workingParameters } from '../support/workflow/runAgainst';
import { runNode } from '../support/workflow/runWorkflow';
import { useSandbox } from '../support/workflow/useSandbox';

describe('a retry of OTP Request', () => {
	const sandbox: Sandbox = useSandbox();
	const request = runAgainst(sandbox, 'OtpRequest');
	shortenDelivery();
	const items = ['09779100001', '09779100002', '09779100003'].map((number) => ({ to: number }));
	const requestAll = async (settings: Partial<INode>) =>
		await request({ to: '={{ $json.to }}' }, { items, settings });

	test('requests a code once over all attempts of Retry On Fail', async () => {
		sandbox.addFault({
			match: { path: '/otp/request' },
			effect: { status: 500 },
			skip: 1,
			count: 2,
		});
		const { json } = await requestAll(retryOnFail);
		expect(json.map((result) => result.to)).toEqual([
			'959779100001',
			'959779100002',
			'959779100003',
		]);
		expect(sandbox.codes()).toHaveLength(3);
		expect(json.map((result) => result.requestId)).toEqual(
			sandbox.codes().map(({ requestId }) => requestId),
		);
	});

	test('requests another code only for the recipient whose response was lost', async () => {
		const match = { path: '/otp/request' };
		sandbox.addFault({ match, when: 'after', effect: 'cut', skip: 1, count: 1 });
		const { json } = await requestAll(retryOnFail);
		expect(sandbox.codes().map((code) => code.to)).toEqual([
			'959779100001',
			'959779100002',
			'959779100003',
			'959779100002',
		]);
		expect(json[1].requestId).toBe(sandbox.codes()[3].requestId);
	});

	test('requests a code for a number that was corrected before a retry by hand', async () => {
		const match = { path: '/otp/request' };
		sandbox.addFault({ match, effect: { status: 400 }, skip: 1, count: 1 });
		const surroundings = { credentials: credentialsOf(sandbox), items: items.slice(0, 2) };
		const node = (to: string) => {
			const parameters = { ...workingParameters.OtpRequest, to };
			return { type: 'OtpRequest', parameters } as const;
		};
		const { run } = await runNode(node('={{ $json.to }}'), surroundings);
		const corrected = node("={{ $json.to.replace('09779', '09778') }}");
		const { json } = await runNode(corrected, { ...surroundings, retryOf: run });
		const codes = sandbox.codes().map(({ to, requestId }) => ({ to, requestId }));
		expect(codes.map(({ to }) => to)).toEqual(['959779100001', '959778100001', '959778100002']);
		expect(json).toMatchObject(codes.slice(1));
	});

	/** Puts what a run has kept of its first item so far back. */
	const age = ({ run }: Awaited<ReturnType<typeof runNode>>, seconds: number) => {
		const { requests } = run.data.executionData?.contextData['node:Node'] as unknown as {
			requests: Array<Array<{ countedAt: number }>>;
		};
		requests[0][0].countedAt -= seconds * 1000;
	};

	test('counts the time of a code from its response, which a retry got after one that was lost', async () => {
		const [path, second] = ['/otp/request', '959779100002'];
		sandbox.addFault({ match: { path }, when: 'after', effect: 'cut', count: 1 });
		sandbox.addFault({ match: { path, contains: second }, effect: { status: 400 }, count: 2 });
		const parameters = { ...workingParameters.OtpRequest, to: '={{ $json.to }}' };
		const node = { type: 'OtpRequest', parameters } as const;
		const surroundings = { credentials: credentialsOf(sandbox), items: items.slice(0, 2) };
		const lost = await runNode(node, surroundings);
		age(lost, 9 * 60);
		const failed = await runNode(node, { ...surroundings, retryOf: lost.run });
		age(failed, 2 * 60);
		const { json } = await runNode(node, { ...surroundings, retryOf: failed.run });
		const codes = sandbox.codes().map(({ requestId }) => requestId);
		expect(codes).toHaveLength(3);
		expect(json.map(({ requestId }) => requestId)).toEqual(codes.slice(1));
	});

	test.each([
		[{}, 9 * 60, 2],
		[{}, 11 * 60, 3],
		[{ ttl: 60 }, 59, 2],
		[{ ttl: 60 }, 61, 3],
		[{ ttl: 3600 }, 59 * 60, 2],
	])(
		'with %j, a retry by hand after %i seconds comes to %i codes, since codes expire',
		async (options, seconds, codes) => {
			const node = { type: 'OtpRequest', parameters: { ...workingParameters.OtpRequest } } as const;
			const parameters = { ...node.parameters, to: '={{ $json.to }}', options };
			const surroundings = { credentials: credentialsOf(sandbox), items: items.slice(0, 2) };
			const match = { path: '/otp/request' };
			sandbox.addFault({ match, effect: { status: 400 }, skip: 1, count: 1 });
			const failed = await runNode({ ...node, parameters }, surroundings);
			age(failed, seconds);
			const { run } = failed;
			const later = await runNode({ ...node, parameters }, { ...surroundings, retryOf: run });
			expect(later.json).toHaveLength(2);
			expect(sandbox.codes()).toHaveLength(codes);
		},
	);
});
