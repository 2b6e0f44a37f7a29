import type { IDataObject, IExecuteFunctions, IHttpRequestOptions, INode } from 'n8n-workflow';

import type { CodeWorld } from './world';
import type { CodeAttempt } from './book';
import { account, createContext, toEvaluator } from '../n8n';
import type { SimulatedProcess } from '../process';

interface Place {
	runIndex: number;
	/** The context of the node. */
	memory: IDataObject;
	process: SimulatedProcess;
	/** The node begins to work on an item. */
	look(item: number): void;
	call(options: IHttpRequestOptions): Promise<unknown>;
}

export function createCodeContext(
	world: CodeWorld,
	attempt: CodeAttempt,
	{ runIndex, memory, process, look, call }: Place,
): IExecuteFunctions {
	const { node: name, items } = attempt;
	const isRequest = name === 'OtpRequest';
	const { onError, tries, waitBetweenTries } = attempt.settings;
	const parameters = isRequest
		? {
				...{ to: '={{ $json.to }}', brand: 'MyShop', from: 'MyShop' },
				options: world.options,
			}
		: {
				...{ requestId: '={{ $json.requestId }}', code: '={{ $json.code }}' },
				expectedTo: world.isExpected ? '={{ $json.expectedTo }}' : '',
			};
	const node = {
		...{ id: name, name, typeVersion: 1, position: [0, 0], parameters, onError },
		type: `n8n-nodes-messaging-service.${isRequest ? 'otpRequest' : 'otpVerify'}`,
		...(tries > 1 && { retryOnFail: true, maxTries: tries, waitBetweenTries }),
	} as unknown as INode;
	const input = items.map(({ json }, item) => ({
		json: watch(json, isRequest ? 'to' : 'requestId', () => look(item)),
		pairedItem: { item },
	}));
	const evaluate = (text: string, item: number) =>
		toEvaluator(text)(input[item]?.json, runIndex, {});
	return createContext({
		...{ node, items: input, evaluate, credentials: account, process, call },
		getContext: () => memory,
		getMode: () => 'trigger',
		getExecutionId: () => '1',
		getExecutionContext: () => ({ version: 1, establishedAt: 0, source: 'trigger' }),
		getExecutionCancelSignal: () => undefined,
		getNodeOutputs: () => (isRequest ? [{ type: 'main' }] : [{ type: 'main' }, { type: 'main' }]),
		getWorkflow: () => ({ id: 'workflow', name: 'Sign in', active: true }),
		addExecutionHints: () => undefined,
	});
}

/** The same item, which tells when the node reads a field. */
function watch(json: IDataObject, field: string, tell: () => void): IDataObject {
	const get = () => (tell(), json[field]);
	return Object.defineProperty({ ...json }, field, { get, enumerable: true });
}
