import type { CodeWorld } from './world';
import type { CodeAttempt, CodeBook, CodeRequest } from './book';
import { account } from '../n8n';
import {
	before,
	failedItem,
	isLost,
	isRead,
	isUnclear,
	isUnsent,
	machineTime,
	nameOf,
	placeOf,
	requestsFor,
} from './reading';
import { rejectedForAReason, verifiedOnlyConfirmed } from './verdicts';
import type { Violation } from '../invariants';

type Invariant = (world: CodeWorld, book: CodeBook) => Violation[];

/** docs/otp-request.md: "Retry On Fail can send another code if a response was lost." docs/otp-verify.md: "Retry On Fail
 * never repeats a check with a clear result. It repeats an unclear one only with On Error set to Stop Workflow." */
const nothingTwice: Invariant = (world, book) =>
	book.requests.flatMap((request): Violation[] => {
		const { attempt, item, order, at, kind } = request;
		const earlier = requestsFor(before(book, attempt), item).filter((one) => one.order < order);
		const last = earlier.at(-1);
		if (!last) return [];
		const lifeMs = Number(world.options.ttl ?? 600) * 1000;
		const place = nameOf(attempt, item);
		const broken = (what: string) => [{ sign: `4 ${kind} twice`, what: `${place}: ${what}` }];
		// A 405 has checked nothing: the same request goes once more with another method.
		const isOtherMethod = last.got === 405 && earlier.at(-2)?.got !== 405;
		if (last.attempt === attempt && kind === 'check' && !isOtherMethod)
			return broken('two checks in one attempt');
		if (last.attempt === attempt && !isUnsent(last))
			return broken(`again after ${String(last.got)}`);
		const age = (one: CodeRequest) => machineTime(world, at) - machineTime(world, one.at);
		if (kind === 'request')
			return earlier.some((one) => isRead(one) && age(one) < lifeMs)
				? broken('again after a 2xx')
				: [];
		if (isRead(last) || [400, 422].includes(Number(last.got)))
			return broken(`again after ${String(last.got)}`);
		return isLost(last) && world.verify.onError !== 'stopWorkflow'
			? broken('again, though unclear')
			: [];
	});

/** docs/service.md: "After a 429, the nodes wait for `Retry-After`, at most 60 seconds." A code is checked at once. */
const retryAfterObeyed: Invariant = (_, book) =>
	book.attempts.flatMap(({ node, requests }): Violation[] => {
		const isTooEarly = (at: number) =>
			requests.some(
				({ got, endedAt = Infinity, retryAfterMs = 0 }) =>
					// A 405 has done nothing: the other method follows at once.
					got !== 405 && at >= endedAt && at < endedAt + Math.min(retryAfterMs, 60_000) - 1,
			);
		const hasty = requests.find(({ at }) => node === 'OtpRequest' && isTooEarly(at));
		return hasty
			? [{ sign: '4 request during Retry-After', what: nameOf(hasty.attempt, hasty.item) }]
			: [];
	});

/** "No attempt was used": what cannot be a code or a recipient reaches no service, and what can, arrives as it is. */
const onlyWhatWasTyped: Invariant = (world, book) =>
	book.requests.flatMap(({ kind, attempt, item, query }): Violation[] => {
		const { person, digits, json } = attempt.items[item];
		const { requestId, code, to } = query as Record<string, string>;
		const isUnknown = world.isExpected && isUnclear(attempt, item);
		const isRight =
			kind === 'request'
				? person.phone !== '' &&
					(to.includes('@')
						? to.toLowerCase() === String(person.to).toLowerCase()
						: to === person.phone)
				: digits !== '' && code === digits && requestId === String(json.requestId) && !isUnknown;
		const what = `${nameOf(attempt, item)} asks for ${JSON.stringify({ to, requestId, code })}`;
		return isRight ? [] : [{ sign: `5 ${kind} of something else`, what }];
	});

/** Every item leaves once, with a result, or with an error that has a cause. */
const nothingSilent: Invariant = (_, book) =>
	book.attempts.flatMap((attempt): Violation[] => {
		const { state, outputs, items, error, settings } = attempt;
		const broken = (sign: string, what: string) => [
			{ sign: `6 ${sign}`, what: `${attempt.run}: ${what}` },
		];
		if (state === 'hung') return broken('never ends', 'the node never ends');
		if (state === 'threw') {
			if (settings.onError !== 'stopWorkflow') return broken('throws', String(error?.message));
			if (!/^Node(Api|Operation)Error$/.test(String(error?.name)))
				return broken('throws', String(error?.stack));
			const place = failedItem(attempt);
			return hasCause(book, attempt, place)
				? []
				: broken('fails without a cause', `item ${place}: ${error?.message}`);
		}
		if (state !== 'returned') return [];
		const all = outputs.flat();
		const places = all.map(placeOf).sort((a, b) => a - b);
		if (places.length !== items.length || places.some((place, n) => place !== n))
			return broken('items lost', `${items.length} items, out came ${places.join()}`);
		return all.flatMap((one): Violation[] => {
			if (one.json.error === undefined) return [];
			return hasCause(book, attempt, placeOf(one))
				? []
				: broken('fails without a cause', String(one.json.error));
		});
	});

function hasCause(book: CodeBook, attempt: CodeAttempt, item: number): boolean {
	const { person, json } = attempt.items[item];
	const isOfInput =
		attempt.node === 'OtpRequest' ? person.phone === '' : json.requestId === undefined;
	if (isOfInput) return true;
	const known = before(book, attempt);
	const last = requestsFor(known, item).at(-1);
	const outputs = attempt.outputs.flat().filter((one) => placeOf(one) === item);
	const { message, description } = attempt.error ?? {};
	const words = `${message} ${description} ${JSON.stringify(outputs)}`;
	// Whether the limit is reached, unit/OtpRequest/limits holds.
	if (
		/No code was sent: .* Nothing was charged\./.test(words) ||
		words.includes('"kind":"limited"')
	)
		return attempt.node === 'OtpRequest';
	return last !== undefined && !isRead(last);
}

/** The next step gets the ID that the service gave this item, and no code. */
const itsOwnId: Invariant = (_, book) =>
	book.attempts.flatMap((attempt): Violation[] => {
		if (attempt.node !== 'OtpRequest' || attempt.state !== 'returned') return [];
		return attempt.outputs.flat().flatMap((one): Violation[] => {
			const place = placeOf(one);
			if (one.json.error !== undefined) return [];
			const given = requestsFor(before(book, attempt), place).filter(isRead).at(-1);
			if (given && String(one.json.requestId) === given.shownId) return [];
			return [
				{
					sign: '7 ID of another code',
					what: `${nameOf(attempt, place)}: ${String(one.json.requestId)}, not ${given?.shownId}`,
				},
			];
		});
	});

/** What may have been sent is never said to be unsent. */
const toldAsItIs: Invariant = (_, book) =>
	book.attempts.flatMap((attempt): Violation[] => {
		if (attempt.node !== 'OtpRequest') return [];
		const { error } = attempt;
		const errors = attempt.outputs
			.flat()
			.filter(({ json }) => json.error !== undefined)
			.map((one) => ({ place: placeOf(one), text: JSON.stringify(one.json) }));
		if (error)
			errors.push({ place: failedItem(attempt), text: `${error.message} ${error.description}` });
		return errors.flatMap(({ place, text }): Violation[] => {
			const mine = requestsFor([attempt], place);
			const isSent = mine.some((one) => one.issued !== undefined && isLost(one));
			if (!isSent || /may have been sent/.test(text)) return [];
			return [{ sign: '10 sent but not told', what: `${nameOf(attempt, place)}: ${text}` }];
		});
	});

/** SECURITY.md: keys and codes are in no output, no error, and not in what n8n saves. */
const noSecrets: Invariant = (_, book) => {
	const { apiKey, apiSecret } = account;
	const token = Buffer.from(`${apiKey}:${apiSecret}`).toString('base64');
	const codes = new Set(book.codes.map(({ code }) => code));
	return book.attempts.flatMap(({ outputs, error, memory, items, run }): Violation[] => {
		const words = [error?.message, error?.description, JSON.stringify(error ?? null)];
		const text = JSON.stringify([outputs, words, memory]);
		// A code can be digits of the number itself, which errors show as it was typed.
		const isTyped = (code: string) => items.some(({ json }) => String(json.to).includes(code));
		const shown = [
			...[apiSecret, apiKey, token].filter((secret) => text.includes(secret)),
			...(text.match(/(?<!\d)\d{4,8}(?!\d)/g) ?? []).filter(
				(one) => codes.has(one) && !isTyped(one),
			),
		];
		return shown.length > 0 ? [{ sign: '11 secret shown', what: `${run}: ${shown.join()}` }] : [];
	});
};

const nothingLeft: Invariant = (_, { timersLeft, unhandled }) => [
	...(timersLeft > 0 ? [{ sign: '12 timers left', what: `${timersLeft} timers` }] : []),
	...unhandled.map((what) => ({ sign: '12 unhandled', what })),
];

const invariants: Invariant[] = [
	...[verifiedOnlyConfirmed, rejectedForAReason, nothingTwice, onlyWhatWasTyped, nothingSilent],
	retryAfterObeyed,
	...[itsOwnId, toldAsItIs, noSecrets, nothingLeft],
];

export function judgeCodes(world: CodeWorld, book: CodeBook): Violation[] {
	return invariants.flatMap((one) => one(world, book));
}
