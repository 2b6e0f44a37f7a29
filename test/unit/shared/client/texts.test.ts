import { describeFailure } from '../../../../nodes/shared/client/texts';
import { ServiceError, type ServiceErrorFacts } from '../../../../nodes/shared/client/failure';
import type { ServiceErrorKind } from '../../../../nodes/shared/client/verdict';

const describeOf = (kind: ServiceErrorKind, facts: ServiceErrorFacts = {}) =>
	describeFailure(new ServiceError(kind, facts));

describe('remedies', () => {
	const describeWords = (words: string) =>
		describeOf('rejected', { request: 'POST /rest/send', status: 422, words }).description;

	test.each([
		[
			'Test must be a number',
			'If you did not set Test, set Flags in the credential to Always, as 0 or 1.',
		],
		[
			'unicode cannot be blank',
			'If you did not set Unicode, set Flags in the credential to Always, as 0 or 1.',
		],
		['Encrypt must be a boolean.', 'Set Flags in the credential to Always, as true or false.'],
	])('name Flags after "%s"', (words, sentence) => {
		expect(describeWords(words)).toContain(sentence);
	});

	test.each(['Invalid Sender ID', 'The latest key is needed', 'Contestant'])(
		'do not name Flags after "%s"',
		(words) => expect(describeWords(words)).not.toContain('Flags'),
	);

	test.each([
		['notFound', 405, 'POST /rest/send', /Set Request Format, in Options, to Query Parameters\./],
		['notFound', 405, 'POST /rest/send/bulk', /Use SMS Send/],
		['notFound', 405, 'POST /otp/request', /Check the Base URL/],
		['forbidden', 403, 'POST /http/send', /or set Request Format, in Options, to JSON Request\./],
		['forbidden', 403, 'POST /rest/send', /for your account\.$/],
		['authentication', 401, 'POST /rest/send', /change Authorization Scheme/],
		['authentication', 401, 'POST /otp/request', /^(?!.*Authorization Scheme)/],
	] as const)('of %s %i for %s name another way', (kind, status, request, words) => {
		expect(describeOf(kind, { status, request }).description).toMatch(words);
	});
});

describe('what is said of a failure', () => {
	test.each([
		[
			'notService',
			{ status: 200, code: 'website' },
			'A website responded, not the service (HTTP 200)',
		],
		['notService', { status: 407 }, 'A proxy rejected the request (HTTP 407)'],
		['notService', { status: 302 }, 'The service redirected the request (HTTP 302)'],
		['notService', { status: 410 }, 'The service was not found at this URL (HTTP 410)'],
		['unavailable', { code: 'ECONNREFUSED' }, 'The service could not be reached (ECONNREFUSED)'],
		['unavailable', { code: 'EAI_AGAIN' }, 'The host in the Base URL is unknown (EAI_AGAIN)'],
		[
			'unavailable',
			{ code: 'SELF_SIGNED_CERT_IN_CHAIN' },
			'The certificate of the service is not trusted (SELF_SIGNED_CERT_IN_CHAIN)',
		],
		[
			'unavailable',
			{ code: 'CERT_HAS_EXPIRED' },
			'The certificate of the service has expired (CERT_HAS_EXPIRED)',
		],
	] as const)('%s with %j is: %s', (kind, facts, message) => {
		expect(describeOf(kind, facts).message).toBe(message);
	});

	test.each(['unavailable', 'outcomeUnknown'] as const)(
		'after a time-out: %s, and Request Timeout',
		(kind) => {
			const facts = { code: 'ECONNABORTED', isLate: true };
			expect(describeOf(kind, facts).description).toContain('increase Request Timeout');
		},
	);

	test.each([
		[{ status: 402 }, /^The message was not sent\. Add balance to the account\.$/],
		[{ status: 400, words: 'Insufficient balance' }, /Add balance/],
		[{ status: 200, words: 'Invalid Sender ID' }, /Enter a sender ID that is registered/],
		[{ status: 400, words: 'from is required' }, /Enter a sender ID that is registered/],
		[{ status: 400, words: 'Invalid number' }, /such as the number or the text\.$/],
		[{ status: 400, words: 'Blocked from receiving SMS' }, /such as the number or the text\.$/],
	])('has a remedy of its own for a rejection that names its cause: %j', (facts, remedy) => {
		expect(describeOf('rejected', { request: 'POST /rest/send', ...facts }).description).toMatch(
			remedy,
		);
	});

	test('counts the requests, says what history showed, and what to look for', () => {
		const facts = {
			status: 502,
			requests: 2,
			waitedMs: 61_000,
			clientReference: 'order-7',
			to: '959',
		};
		const text = describeOf('outcomeUnknown', { ...facts, history: 'nothing' });
		expect(text.message).toContain('the message to 959 may have been sent (HTTP 502)');
		expect(text.description).toContain('(2 attempts)');
		expect(text.description).toContain(
			'not in message history within 61 seconds of the last attempt',
		);
		expect(text.description).toContain('Search SMS History for the Client Reference order-7');
	});

	test.each(['nothing', 'unreadable', 'uncertain', 'partly'] as const)(
		'has a sentence for a history that says %s',
		(history) => {
			const { description } = describeOf('outcomeUnknown', { history });
			expect(description).toMatch(
				/^Search SMS History .+ (not in message|could not be read|shows|were accepted)/,
			);
		},
	);

	test('says of a message of another account that this credential cannot tell', () => {
		const { description } = describeOf('outcomeUnknown', { history: 'otherAccount' });
		expect(description).toMatch(/^Search SMS History .+ another account, .+ cannot read/);
	});

	test.each([
		['rateLimited', { status: 429 }],
		['unavailable', { code: 'heldBack' }],
	] as const)('%s with %j never advises to start a campaign again', (kind, facts) => {
		const { description } = describeOf(kind, facts);
		expect(description).toMatch(
			/send this again\. Or retry .* open Executions, choose this one, then Retry > Retry with currently/,
		);
		expect(description).not.toMatch(/run the workflow/i);
	});

	test.each([
		['POST /rest/send', /^The message was not sent\. /],
		['POST /otp/request', /^No code was sent\. /],
		['GET /rest/messages', /^(?!.*\bsent\b)/],
	])('says that nothing was sent only if %s could have sent something', (request, expected) => {
		for (const kind of ['rateLimited', 'forbidden'] as const) {
			expect(describeOf(kind, { status: 429, request }).description).toMatch(expected);
		}
	});

	test('of a lookup before a send begins with the same', () => {
		const facts = { status: 503, request: 'GET /rest/messages', isBeforeSend: true };
		const { description } = describeOf('unavailable', facts);
		expect(description).toMatch(/^Nothing was sent in this attempt\. /);
	});

	test('of a check of a code says that nobody was let in, whatever it was', () => {
		const kinds = ['authentication', 'rateLimited', 'unavailable', 'unreadable', 'notService'];
		for (const kind of kinds as ServiceErrorKind[]) {
			const { message, description } = describeOf(kind, { isCheckOfCode: true });
			expect(message).toMatch(/^The code could not be checked\. /);
			expect(description).toMatch(/^The code was not verified, so access was denied\. /);
		}
	});
});
