import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
} from 'n8n-workflow';

import { MessagingServiceClient } from '../shared/client/MessagingServiceClient';
import { ServiceError } from '../shared/client/failure';
import type { OtpRequest } from '../shared/client/types';
import { finishRun, openOnce, runPerItem } from '../shared/n8n/items';
import { RunMemory } from '../shared/n8n/memory';
import { toolDescription } from '../shared/n8n/tool';
import { createTextReader } from '../shared/sending/readTexts';
import { senderId } from '../shared/options/properties';
import { OptionReader, toCollections } from '../shared/options/reader';
import { takeDefault } from '../shared/options/readParameters';
import { serviceTimeToUtc } from '../shared/input/time';
import { escapeHtml, requireBrand, requireSenderId } from '../shared/input/text';
import { countCode, nameCode, type Keys } from './limits/countCode';
import type { Limits } from './limits/rules';
import { otpOptions, type OtpOptions } from './otpOptions';
import { isEmail, readOtpRecipient, toCountedRecipient } from './otpRecipient';

export const properties: INodeProperties[] = [
	toolDescription(
		'Send a one-time code by SMS or email to verify a person. Every code costs money and reaches a person: request one, and another one only when the person asks for it. To is a mobile number (09…, 959… or +959…) or an email address, Brand the name in the text, From the sender ID. The response contains the requestId that OTP Verify needs, and never the code: ask the person for it. A response with "error" says what to change, or how long to wait for the next code.',
	),
	{
		displayName: 'To',
		name: 'to',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. 09791234567 or name@example.com',
		description:
			'By default, a recipient gets at most 5 codes in 10 minutes and 20 in 24 hours, 30 seconds apart',
	},
	{
		displayName: 'Brand',
		name: 'brand',
		type: 'string',
		default: '',
		placeholder: 'e.g. MyShop',
		description:
			'Name of your company or app, as it appears in the message. Leave empty to use the one of the credential.',
	},
	senderId,
	...toCollections(otpOptions),
];

function toRequest(
	fields: { to: unknown; brand: unknown; from: unknown },
	{ ttl, pinLength, maxInvalidAttempts, template, ...options }: OtpOptions,
): OtpRequest {
	const to = readOtpRecipient(fields.to, options);
	const brand = requireBrand(fields.brand);
	return {
		to,
		// The service inserts it into HTML emails without escaping it.
		brand: isEmail(to) ? escapeHtml(brand) : brand,
		from: requireSenderId(fields.from),
		ttl,
		pinLength,
		maxInvalidAttempts,
		template,
	};
}

/** Adds the times in UTC: the service returns them without a time zone. */
function withUtc(response: IDataObject, timeZone: string): IDataObject {
	const createdAtUtc = serviceTimeToUtc(response.createdAt, timeZone);
	const expireAtUtc = serviceTimeToUtc(response.expireAt, timeZone);
	return {
		...response,
		...(createdAtUtc !== null && { createdAtUtc }),
		...(expireAtUtc !== null && { expireAtUtc }),
	};
}

/** The request of an item. Without `response`, it is in doubt whether a code was sent. */
interface Requested {
	to: string;
	/** In milliseconds since 1970. */
	countedAt: number;
	/** The same by `performance.now()` of the process that counted it. */
	at: number;
	response?: IDataObject;
}

/** How long a code can be used by default, at most, and how long a retry does not count it again. */
const usualLifeMs = 10 * 60_000;

/** Recipients are counted in one spelling; only numbers have a range. */
function toKeys(
	client: MessagingServiceClient,
	node: string[],
	to: string,
	options: OtpOptions,
): Keys {
	const seal = (...parts: string[]) => client.seal(...node, ...parts);
	const { visitor } = options;
	return {
		node: seal(),
		recipient: seal(toCountedRecipient(to)),
		range: isEmail(to) ? undefined : seal('range', to.slice(0, -4)),
		visitor: visitor?.isPrivate === false ? seal('visitor', visitor.key) : undefined,
	};
}

/**
 * Requests a code, unless an earlier attempt got a response for the same recipient and the code has not expired. After
 * a lost response, it requests the code again, but does not count it again within 10 minutes.
 */
async function requestOnce(
	{ client, memory }: { client: MessagingServiceClient; memory: RunMemory<Requested> },
	item: number,
	request: OtpRequest,
	keys: Keys,
	limits: Limits,
): Promise<IDataObject> {
	const { to } = request;
	const earlier = memory.find(item);
	const known = earlier?.to === to ? earlier : undefined;
	const age = Date.now() - (known?.countedAt ?? 0);
	const lifeMs = request.ttl ? request.ttl * 1000 : usualLifeMs;
	if (known?.response && age < lifeMs) return known.response;
	const isCounted = known !== undefined && !known.response && age < usualLifeMs;
	// Above a limit, the item fails at once, and is no probe of a service that is down.
	if (!isCounted) countCode(keys, limits)();
	let { countedAt, at } = known ?? { countedAt: 0, at: 0 };
	let uncount: (() => void) | undefined;
	const release = () => {
		if (!uncount) return;
		uncount();
		memory.forget(item);
		uncount = undefined;
	};
	const take = () => {
		release();
		countedAt = Date.now();
		if (isCounted) return;
		at = performance.now();
		uncount = countCode(keys, limits, at);
		memory.keep(item, { to, countedAt, at });
	};
	const response = await client.requestOtp(request, { take, release }).catch((error: unknown) => {
		if (!(error instanceof ServiceError && error.mayHaveActed)) release();
		throw error;
	});
	nameCode(keys, at, client.seal(String(response.requestId)));
	memory.keep(item, { to, countedAt, at, response });
	return response;
}

/** Visitors from the internet have no private address, so it is that of a proxy or of Docker. */
function tellHiddenVisitor(context: IExecuteFunctions): void {
	const message =
		'Visitor is a private IP address, so its limit is off. Check set_real_ip_from in nginx and enable_ipv6 in Docker.';
	context.addExecutionHints({ message, type: 'warning', location: 'outputPane' });
	context.logger.warn(`${context.getNode().name}: ${message}`);
}

export async function execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const readField = createTextReader(this, false);
	const reader = OptionReader.of(this, otpOptions, readField);
	const open = openOnce(async () => {
		const { timeout } = reader.ofRun();
		return {
			client: await MessagingServiceClient.open(this, { parallelRequests: 1, timeout }),
			memory: RunMemory.open<Requested>(this, 'requests'),
		};
	});
	const node = [String(this.getWorkflow().id ?? ''), this.getNode().id];
	let isVisitorHidden = false;
	const results = await runPerItem(this, {
		outcomeOf: (item) => {
			const isRepeated = RunMemory.open(this, 'requests').find(item) !== undefined;
			return `No code was sent${isRepeated ? ' in this attempt' : ''}.`;
		},
		work: async (item, report) => {
			const to = readField('to', item);
			report.isFor(to);
			const options = reader.read(item);
			isVisitorHidden ||= options.visitor?.isPrivate === true;
			const opened = await open();
			const { client } = opened;
			const brand = takeDefault(this, 'brand', client.defaults) ?? readField('brand', item);
			const from = takeDefault(this, 'from', client.defaults) ?? readField('from', item);
			const request = toRequest({ to, brand, from }, options);
			const keys = toKeys(client, node, request.to, options);
			const response = await requestOnce(opened, item, request, keys, options);
			report.add(withUtc(response, client.serviceTimeZone));
		},
	});
	if (isVisitorHidden) tellHiddenVisitor(this);
	return await finishRun(results, async () => (await open()).memory);
}
