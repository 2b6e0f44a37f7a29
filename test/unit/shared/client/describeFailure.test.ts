import { describeFailure } from '../../../../nodes/shared/client/describeFailure';
import {
	ServiceError,
	type ServiceErrorFacts,
	type ServiceErrorKind,
} from '../../../../nodes/shared/client/ServiceError';

const describeOf = (kind: ServiceErrorKind, facts: ServiceErrorFacts = {}) =>
	describeFailure(new ServiceError(kind, facts));

describe('what is said of a failure', () => {
	test.each([
		['address', {}, 'The Base URL in the credential is not a usable address'],
		['authentication', { status: 401 }, 'The service refused the credential (HTTP 401)'],
		['notFound', { status: 404 }, 'The service was not found at this address (HTTP 404)'],
		[
			'refused',
			{ status: 400, words: 'Invalid Sender ID' },
			'The service refused: Invalid Sender ID',
		],
		['refused', { status: 422 }, 'The service refused the request (HTTP 422)'],
		['unavailable', { code: 'ECONNREFUSED' }, 'The service could not be reached (ECONNREFUSED)'],
		['unavailable', { code: 'ETIMEDOUT' }, 'The service gave no answer in time'],
		[
			'unavailable',
			{ code: 'heldBack' },
			'Not sent: the service has not taken any of the last requests',
		],
		['unavailable', { status: 503 }, 'The service is not available at the moment (HTTP 503)'],
		[
			'redirected',
			{ status: 302 },
			'The service redirected the request (HTTP 302); redirects are not followed',
		],
	] as const)('%s with %j is: %s', (kind, facts, message) => {
		expect(describeOf(kind, facts).message).toBe(message);
	});

	test('counts the requests, says what history showed, and what to look for', () => {
		const facts = { status: 502, requests: 2, waitedMs: 61_000, clientReference: 'order-7' };
		const text = describeOf('outcomeUnknown', { ...facts, history: 'nothing' });
		expect(text.message).toContain('whether it took the message order-7 (HTTP 502)');
		expect(text.description).toContain('2 requests were made for it.');
		expect(text.description).toContain('did not show it in the 61 seconds after that');
		expect(text.description).toContain('Look for this Client Reference in SMS History');
	});

	test.each(['nothing', 'unreadable', 'uncertain', 'partly'] as const)(
		'has a sentence for a history that says %s',
		(history) => {
			const { description } = describeOf('outcomeUnknown', { history });
			expect(description).toMatch(/Message history (did not|could not|holds|shows) .+\. Look for/);
		},
	);

	test('says of a message of another account that this credential cannot tell', () => {
		const { description } = describeOf('outcomeUnknown', { history: 'otherAccount' });
		expect(description).toMatch(/another account, .+ cannot read\. Look for/);
	});

	test.each([
		['rateLimited', { status: 429 }],
		['unavailable', { code: 'heldBack' }],
		['unavailable', { status: 503, requests: 3 }],
	] as const)('%s with %j asks nobody to start a campaign anew', (kind, facts) => {
		const { description } = describeOf(kind, facts);
		expect(description).toMatch(/retry this execution/i);
		expect(description).not.toMatch(/run the workflow/i);
	});

	test.each([
		['POST /rest/send', true],
		['GET /rest/messages', false],
	])('says that nothing was sent only where %s could have sent something', (request, isSaid) => {
		for (const kind of ['rateLimited', 'refused'] as const) {
			const { description } = describeOf(kind, { status: 429, request });
			expect(description.includes('Nothing was sent')).toBe(isSaid);
		}
	});

	test('repeats the words of the service at its end', () => {
		const { description } = describeOf('forbidden', { status: 403, words: 'No OTP product' });
		expect(description).toMatch(/The service says: No OTP product$/);
	});

	test('of a check of a code says that nobody was let in, whatever it was', () => {
		const kinds = ['authentication', 'rateLimited', 'unavailable', 'unreadable', 'redirected'];
		for (const kind of kinds as ServiceErrorKind[]) {
			const { message, description } = describeOf(kind, { isCheckOfCode: true });
			expect(message).toMatch(/^The code could not be checked\. /);
			expect(description).toMatch(/^Whether it is right is not known, so nobody was let in\. /);
		}
	});
});
