import type { IDataObject, IExecuteFunctions, IHttpRequestOptions, INode } from 'n8n-workflow';

import type { CodeWorld } from './world';
import type { CodeAttempt } from './book';
import { fillIn, signed, toEvaluator } from '../n8n';
import type { SimulatedProcess } from '../process';

export const secrets = { apiKey: 'key-of-the-account', apiSecret: 'secret-of-the-account' };

interface Place {
	runIndex: number;
	/** The context of the node. */
	memory: IDataObject;
	process: SimulatedProcess;
	/** The node begins to work on an item. */
	look(item: number): void;
	call(options: IHttpRequestOptions): Promise<unknown>;
}

/** All that our nodes call on `this`. */
export function createContext(
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
	const credentials = {
		...{ baseUrl: 'https://sms.example.com/api', ...secrets },
		...{ serviceTimeZone: 'Asia/Yangon', onlySendTo: '' },
	};
	return {
		getContext: () => memory,
		getMode: () => 'trigger',
		getExecutionId: () => '1',
		getExecutionContext: () => ({ version: 1, establishedAt: 0, source: 'trigger' }),
		getExecutionCancelSignal: () => undefined,
		getNode: () => node,
		getNodeOutputs: () => (isRequest ? [{ type: 'main' }] : [{ type: 'main' }, { type: 'main' }]),
		getWorkflow: () => ({ id: 'workflow', name: 'Sign in', active: true }),
		getInputData: () => input,
		getTimezone: () => 'Asia/Yangon',
		getCredentials: async () => credentials,
		getNodeParameter: (path: string, item: number, otherwise?: unknown) => {
			const raw = path
				.split('.')
				.reduce((at: unknown, key) => (at as IDataObject)?.[key], node.parameters);
			return raw === undefined ? otherwise : fillIn(raw, (one) => evaluate(one, item));
		},
		evaluateExpression: evaluate,
		continueOnFail: () => onError !== 'stopWorkflow',
		addExecutionHints: () => undefined,
		logger: { info() {}, warn() {}, debug() {}, error() {} },
		helpers: {
			httpRequestWithAuthentication: signed(process, call),
		},
	} as unknown as IExecuteFunctions;
}

/** The same item, which tells when the node reads a field. */
function watch(json: IDataObject, field: string, tell: () => void): IDataObject {
	const get = () => (tell(), json[field]);
	return Object.defineProperty({ ...json }, field, { get, enumerable: true });
}
