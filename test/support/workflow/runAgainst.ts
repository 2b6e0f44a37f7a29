import type { IDataObject, INode, IRun } from 'n8n-workflow';

import { credentialsOf, type Service } from './credentialsOf';
import { runNode, type RunResult } from './runWorkflow';

export interface Surroundings {
	items?: IDataObject[];
	/** Changes of the credential. */
	credentials?: IDataObject;
	/** On Error, Retry On Fail. */
	settings?: Partial<INode>;
	/** Of one workflow that is executed several times. */
	workflowId?: string;
	/** Executed by hand, in the editor. */
	mode?: 'manual';
	/** A failed run that is retried by hand. */
	retryOf?: IRun;
}

export type Run = (parameters?: IDataObject, surroundings?: Surroundings) => Promise<RunResult>;

/** Parameters with which each node does its work. */
export const workingParameters = {
	OtpRequest: { to: '09779123456', brand: 'MyShop', from: 'MyShop' },
	OtpVerify: { requestId: '184512007', code: '0427' },
	SmsBalance: {},
	SmsBulkSend: { to: '09779123456', message: 'Hello', from: 'MyShop' },
	SmsHistory: { returnAll: true },
	SmsSend: { to: '09779123456', message: 'Hello', from: 'MyShop' },
} satisfies Record<string, IDataObject>;

export type NodeName = keyof typeof workingParameters;

export const nodeNames = Object.keys(workingParameters) as NodeName[];

/** Runs one of our nodes with its working parameters, changed where a test says so. */
export function runAgainst(service: Service, type: NodeName): Run {
	return async (parameters = {}, { credentials, settings, ...options } = {}) =>
		await runNode(
			{ type, parameters: { ...workingParameters[type], ...parameters }, settings },
			{ ...options, credentials: credentialsOf(service, credentials) },
		);
}
