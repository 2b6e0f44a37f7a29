import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { describeFailure } from '../../nodes/shared/client/texts';
import { ServiceError, type ServiceErrorFacts } from '../../nodes/shared/client/failure';
import { rules as verdicts, type ServiceErrorKind } from '../../nodes/shared/client/verdict';

/** An error of the nodes, without its values. */
interface Row {
	title: string;
	kind: string;
	advice: string;
}

const project = resolve(__dirname, '../..');

const isToWrite = process.env.UPDATE_ERRORS === 'true';

const send = 'POST /rest/send';
/** A message with such a failure is looked up in message history; a code cannot be. */
const ofCode = { request: 'POST /otp/request', mayHaveActed: true };
const ofCheck = { request: 'POST /otp/verify', isCheckOfCode: true };
/** One of each sentence that a failure of the service can become. */
const failures: Record<ServiceErrorKind, ServiceErrorFacts[]> = {
	address: [{}],
	authentication: [{ status: 401 }],
	forbidden: [
		{ status: 403 },
		{ status: 403, code: 'blindRetry' },
		{ code: 'blindRetry', history: 'otherAccount' },
	],
	notFound: [{ status: 404 }, { status: 405 }],
	rejected: [
		{ status: 400 },
		{ status: 200, words: 'Invalid Sender ID' },
		{ status: 422, words: 'Test must be a number' },
		{ code: 'nothingAccepted', requests: 20, words: 'Invalid Sender ID' },
	],
	rateLimited: [{ status: 429 }],
	unavailable: [
		{ ...ofCode, status: 503 },
		{ ...ofCode, status: 504, isLate: true },
		{ code: 'ECONNREFUSED' },
		{ code: 'ENOTFOUND' },
		{ ...ofCode, code: 'ETIMEDOUT', isLate: true },
		{ code: 'heldBack' },
		{ ...ofCheck, status: 503 },
	],
	notService: [{ status: 302 }, { status: 407 }, { status: 410 }, { status: 403, code: 'website' }],
	unreadable: [{ ...ofCode, status: 200 }],
	outcomeUnknown: [
		{
			status: 500,
			to: '959791234567',
			clientReference: 'order-1',
			history: 'nothing',
			waitedMs: 60_000,
		},
		{ code: 'ECONNRESET', history: 'unreadable' },
		{ status: 403, code: 'blindRetry' },
	],
	cancelled: [{}],
};

const ofService = Object.entries(failures).flatMap(([kind, all]) =>
	all.map((facts): Row => {
		const error = new ServiceError(kind as ServiceErrorKind, { request: send, ...facts });
		const { message, description } = describeFailure(error);
		return { title: message, kind, advice: description };
	}),
);

/** Without the spaces by which Prettier aligns the columns. */
const withoutPadding = (table: string) => table.replace(/ +/g, ' ').replace(/-+/g, '-');

/** What a response means, as the code reads it. */
function printVerdicts(): string {
	const header = '| Response | `kind` | Was it sent? | It concerns | `reason` of a code |';
	const lines = verdicts.map(({ when, kind, acted, about, ofCode = 'couldNotCheck' }) => {
		const sent = acted === 'no' ? 'no' : 'unknown';
		const ofOne = { message: 'this message', account: 'your account', service: 'the service' };
		return `| ${[when, `\`${kind}\``, sent, ofOne[about], `\`${ofCode}\``].join(' | ')} |`;
	});
	return [header, header.replace(/[^|]+/g, ' --- '), ...lines].join('\n');
}

describe('the errors of the nodes', () => {
	test('come from the table of responses in errors.md (UPDATE_ERRORS=true writes it; then run Prettier)', () => {
		const page = join(project, 'docs/errors.md');
		const text = readFileSync(page, 'utf8');
		const [shown = ''] = /^\| Response[^]*?(?=\n\n)/m.exec(text) ?? [];
		if (isToWrite) writeFileSync(page, text.replace(shown, printVerdicts));
		else expect(withoutPadding(shown)).toBe(withoutPadding(printVerdicts()));
	});

	test('of a send begin with whether something was sent', () => {
		const first =
			/^(Nothing was sent|Not sent|The message was not sent|(The message|A code) may have been sent|Outcome unknown: |The code was not verified)/;
		const silent = ofService.filter(
			({ title, advice, kind }) =>
				kind !== 'cancelled' && !first.test(title) && !first.test(advice),
		);
		expect(silent).toEqual([]);
	});
});
