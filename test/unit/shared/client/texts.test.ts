import { describeFailure } from '../../../../nodes/shared/client/texts';
import { ServiceError, type ServiceErrorFacts } from '../../../../nodes/shared/client/failure';
import type { ServiceErrorKind } from '../../../../nodes/shared/client/verdict';

const describeOf = (kind: ServiceErrorKind, facts: ServiceErrorFacts = {}) =>
	describeFailure(new ServiceError(kind, facts));

test.each(['Invalid Sender ID', 'The latest key is needed', 'Contestant'])(
	'Flags are no remedy after "%s"',
	(words) => {
		const facts = { request: 'POST /rest/send', status: 422, words };
		expect(describeOf('rejected', facts).description).not.toContain('Flags');
	},
);

test.each([
	['notFound', 405, 'POST /otp/request', /Check the Base URL/],
	['forbidden', 403, 'POST /rest/send', /for your account\.$/],
	['authentication', 401, 'POST /otp/request', /^(?!.*Authorization Scheme)/],
] as const)('%s %i for %s names no way that does not help', (kind, status, request, words) => {
	expect(describeOf(kind, { status, request }).description).toMatch(words);
});

describe('what is said of a failure', () => {
	test.each([
		['notService', { status: 407 }, 'A proxy rejected the request (HTTP 407)'],
		['unavailable', { code: 'EAI_AGAIN' }, 'The host in the Base URL is unknown (EAI_AGAIN)'],
		[
			...['unavailable', { code: 'SELF_SIGNED_CERT_IN_CHAIN' }],
			'The certificate of the service is not valid (SELF_SIGNED_CERT_IN_CHAIN)',
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
});
