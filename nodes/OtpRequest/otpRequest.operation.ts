import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { MessagingServiceClient } from '../shared/client/MessagingServiceClient';
import { ServiceError } from '../shared/client/failure';
import type { OtpRequest } from '../shared/client/types';
import { finishRun, openOnce, runPerItem } from '../shared/n8n/items';
import { RunMemory } from '../shared/n8n/memory';
import { toolDescription } from '../shared/n8n/tool';
import { senderId } from '../shared/options/properties';
import { createFieldReader } from '../shared/options/fields';
import { OptionReader, readOrTakeDefault, toCollections } from '../shared/options/reader';
import { minuteMs, serviceTimeToUtc } from '../shared/input/time';
import { escapeHtml, requireBrand, requireSenderId } from '../shared/input/text';
import { countCode, nameCode, uncountCode, type Keys } from './limits';
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
			'By default, a recipient gets at most 5 codes in an hour. The limits of 20 in 24 hours, and of one in 30 seconds, are fixed.',
	},
	{
		displayName: 'Brand',
		name: 'brand',
		type: 'string',
		default: '',
		placeholder: 'e.g. MyShop',
		description:
			'Name of your company or app, as it appears in the message. Leave empty to use the Brand in the credential.',
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
		...{ ttl, pinLength, maxInvalidAttempts, template },
	};
}

/** Adds the times in UTC: the service returns them without a time zone. */
function withUtc(response: IDataObject, timeZone: string): IDataObject {
	const times = ['createdAt', 'expireAt'].map((field) => [
		`${field}Utc`,
		serviceTimeToUtc(response[field], timeZone),
	]);
	return { ...response, ...Object.fromEntries(times.filter(([, time]) => time !== null)) };
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

/** How long a code can be used by default, at most. Until then, a retry does not count it again. */
const usualLifeMs = 10 * minuteMs;

/**
 * Requests a code, unless an earlier attempt got a response for the same recipient and the code has not expired. After
 * a lost response, it requests the code again, but does not count it again.
 */
async function requestOnce(
	{ client, memory }: { client: MessagingServiceClient; memory: RunMemory<Requested> },
	item: number,
	request: OtpRequest,
	keys: Keys,
	options: OtpOptions,
): Promise<IDataObject> {
	const { to, ttl } = request;
	const earlier = memory.find(item);
	const isSame = earlier?.to === to;
	const lifeMs = ttl ? ttl * 1000 : usualLifeMs;
	const known = isSame && Date.now() - earlier.countedAt < lifeMs ? earlier : undefined;
	if (known?.response) return known.response;
	const counted = known ?? { to, countedAt: Date.now(), at: countCode(keys, options) };
	memory.keep(item, counted);
	const response = await client.requestOtp(request).catch((error: unknown) => {
		const isUnsent = !(error instanceof ServiceError && error.mayHaveActed);
		if (isUnsent && !known) {
			uncountCode(keys, counted.at);
			memory.forget(item);
		}
		throw error;
	});
	nameCode(keys, counted.at, client.seal(String(response.requestId)));
	memory.keep(item, { ...counted, countedAt: Date.now(), response });
	return response;
}

export async function execute(this: IExecuteFunctions) {
	const readField = createFieldReader(this, { hasOption: false });
	const reader = OptionReader.of(this, otpOptions, readField);
	const open = openOnce(async () => ({
		client: await MessagingServiceClient.open(this, reader.ofRun()),
		memory: RunMemory.open<Requested>(this, 'requests'),
	}));
	const node = [String(this.getWorkflow().id ?? ''), this.getNode().id];
	const results = await runPerItem(this, {
		outcomeOf: (item) => {
			const isRepeated = RunMemory.open(this, 'requests').find(item) !== undefined;
			return `No code was sent${isRepeated ? ' in this attempt' : ''}.`;
		},
		work: async (item, results) => {
			const to = readField('to', item);
			results.isFor(item, to);
			const options = reader.read(item);
			const opened = await open();
			const { client } = opened;
			const brand = readOrTakeDefault(this, readField, 'brand', item, client.defaults);
			const from = readOrTakeDefault(this, readField, 'from', item, client.defaults);
			const request = toRequest({ to, brand, from }, options);
			const recipient = client.seal(...node, toCountedRecipient(request.to));
			const keys = { node: client.seal(...node), recipient };
			const response = await requestOnce(opened, item, request, keys, options);
			results.add(item, withUtc(response, client.serviceTimeZone));
		},
	});
	return await finishRun(results, async () => (await open()).memory);
}
