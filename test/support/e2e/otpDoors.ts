import { httpClient } from '../../../scripts/http';
import type { IDataObject, OnError } from 'n8n-workflow';

import type { Sandbox } from '../../../sandbox';
import type { NodeUnderTest, WorkflowRun } from '../../../tools/harness';
import { connectOutputs, makeMarker } from './runAgain';
import type { Credentials } from './useService';

/** What hangs on the outputs: Rejected, Verified and, with `continueErrorOutput`, Error. */
const doors = ['Turn Away', 'Let In', 'Alarm'];

export interface IssuedCode {
	requestId: number;
	code: string;
}

/** Requests a code as the application would, past the node. */
export async function issueCode(sandbox: Sandbox): Promise<IssuedCode> {
	const params = {
		accessToken: sandbox.token,
		to: '09791234567',
		brand: 'MyShop',
		from: 'MyShop',
	};
	const { data } = await httpClient.post(`${sandbox.baseUrl}/otp/request`, null, { params });
	const { code = '' } = sandbox.codes().at(-1) ?? {};
	return { requestId: data.requestId as number, code };
}

export const wrongCodeFor = ({ code }: IssuedCode) =>
	(code.startsWith('1') ? '2' : '1') + code.slice(1);

/** OTP Verify, and a node behind each of its outputs. */
export function makeNodes(
	onError: OnError,
	credentials: Credentials | undefined,
	parameters: IDataObject = {},
): NodeUnderTest[] {
	const expressions = { requestId: '={{ $json.requestId }}', code: '={{ $json.code }}' };
	const verify: NodeUnderTest = {
		name: 'Verify',
		type: 'otpVerify',
		parameters: { ...expressions, ...parameters } as NodeUnderTest['parameters'],
		onError,
		credentials: credentials && { ...credentials },
	};
	return [verify, ...doors.map(makeMarker)];
}

export const connections = connectOutputs('Verify', doors);

/** For Let In, Turn Away and Alarm, which items went through; undefined when the node behind it did not run. */
export function readDoors({ outputs }: WorkflowRun) {
	return ['Let In', 'Turn Away', 'Alarm'].map((door) =>
		outputs[door]?.[0].map(({ pairedItem }) => pairedItem),
	);
}
