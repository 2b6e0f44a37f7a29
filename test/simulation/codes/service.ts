import type { Reply } from '../book';
import type { CodeRequest, IssuedCode } from './book';
import { isMarked, plainPlan, type CodeFailure, type CodePlan, type CodeWorld } from './world';
import type { Clock } from '../clock';

type Fields = Record<string, unknown>;

/* A few of the forms in which services confirm and reject; unit/shared/client/confirmation reads all others. */

/** Fields that say that a code is right, whatever else is there. */
const harmless: Fields[] = [
	...[{ status: true }, { status: 'Verified' }, { status: 200 }, { success: 'yes' }],
	...[{ error: null }, { errors: [] }, { data: { attempts: 0 } }],
];
/** Fields that reject a code, whatever else is there. */
const rejecting: Fields[] = [
	...[false, '0', 'Rejected', 400, null].map((status) => ({ status })),
	...[{ verified: 'no' }, { error: 'Wrong code' }, { name: 'Bad Request' }],
];
/** A confirmation with a part that is missing or wrong. */
const incomplete: Array<(full: Fields) => unknown> = [
	...[undefined, '', true, 0].map((id) => (full: Fields) => ({ ...full, request_id: id })),
	({ request_id: id, ...rest }) => ({ request_id: `${String(id)}0`, ...rest }),
	...[undefined, '  ', {}].map((to) => (full: Fields) => ({ ...full, to })),
	...[undefined, 'now'].map((verifiedAt) => (full: Fields) => ({ ...full, verifiedAt })),
	...[(full: Fields) => [full], () => ({}), () => null, () => 'OK'],
];
/** A response to a request for a code without its ID. */
const unnamed: Array<(full: Fields) => unknown> = [
	...[undefined, '', {}].map((requestId) => (full: Fields) => ({ ...full, requestId })),
	...[() => ({}), () => 'OK'],
];
/** Of the header Retry-After, in seconds; 0 for none. */
const waits = [0, 0, 0, 1, 20, 300];
const wrong = { name: 'Bad Request', message: 'Invalid request!.', code: 0, status: 400 };

/** Some services wrap what they respond. */
const wrap = (body: Fields, shape: number) =>
	shape % 5 === 4 ? { success: true, data: body } : body;

const at = <T>(list: T[], place: number): T => list[place % list.length];

/** One-time codes, as the specification describes them and services of its kind were seen to do. */
export class CodeService {
	readonly codes: IssuedCode[] = [];
	private asked = 0;
	private checked = 0;

	constructor(
		private readonly world: CodeWorld,
		private readonly clock: Clock,
		private readonly createCode: (length: number) => string,
	) {}

	async reply(request: CodeRequest): Promise<Reply> {
		const isCheck = request.kind === 'check';
		const plans = isCheck ? this.world.checks : this.world.requests;
		const plan = plans[isCheck ? this.checked++ : this.asked++] ?? plainPlan;
		Object.assign(request, { plan, says: 'unclear' });
		if (plan.response === 'refused') return { code: 'ECONNREFUSED' };
		await this.clock.sleep(plan.latencyMs / 2);
		const full = isCheck ? this.check(request, plan) : this.issue(request, plan);
		await this.clock.sleep(plan.latencyMs / 2);
		const { response, shape } = plan;
		if (response === 'rejected') return this.reject(request, isCheck ? shape : 3);
		const isIncomplete = response === 'odd';
		if (!['usual', 'odd', 'otherId', 'cutBody'].includes(String(response)))
			return this.fail(response as CodeFailure, request);
		if (!full && !isIncomplete) return this.reject(request, this.world.service.rejects);
		const { extra, status } = this.world.service;
		if (!isIncomplete) {
			const complete = { ...full, ...(isCheck && extra > 0 && at(harmless, extra)) };
			if (response === 'usual' || (response === 'otherId' && !isCheck)) request.says = 'yes';
			const body = wrap(complete, shape);
			return { ...this.json(status, body), isCut: response === 'cutBody' };
		}
		const claimed = full ?? {
			request_id: request.query.requestId,
			to: '959791000000',
			...this.times(),
		};
		if (!isCheck) return this.json(status, at(unnamed, shape)(claimed));
		if (isMarked(shape)) request.says = 'no';
		const body = isMarked(shape)
			? wrap({ ...claimed, ...at(rejecting, shape >> 1) }, shape >> 1)
			: at(incomplete, shape >> 1)(claimed);
		return this.json(status, body);
	}

	/** Sends a code, and shows what a response says of it. */
	private issue(request: CodeRequest, { response, acts }: CodePlan): Fields | undefined {
		if (!acts || response === 'rejected') return undefined;
		const { query } = request;
		const seconds = Number(query.ttl ?? 300);
		const code: IssuedCode = {
			id: this.createId(),
			phone: toPhone(query.to),
			code: this.createCode(Number(query.pinLength ?? 6)),
			expiresAt: this.clock.now + seconds * 1000,
			most: Number(query.maxInvalidAttempts ?? 5),
			invalid: 0,
			isUsed: false,
			request,
		};
		const [other] = this.codes;
		this.codes.push(code);
		request.issued = code;
		const isMail = code.phone.includes('@');
		const shown = response === 'otherId' && other ? other : code;
		request.shownId = shown.id;
		return {
			...{ channel: isMail ? 'EMAIL' : 'SMS', requestId: this.writeId(shown.id) },
			...{ to: this.writePhone(code.phone), createdAt: this.writeTime(this.clock.now) },
			expireAt: this.writeTime(code.expiresAt),
			...(this.world.service.shows !== 'nothing' && {
				...{ code: code.code, otp: { pin: code.code }, accessToken: query.accessToken },
			}),
		};
	}

	/** Uses up a right code, and shows what a response says of it. */
	private check(request: CodeRequest, { response, acts }: CodePlan): Fields | undefined {
		const { query } = request;
		const found = this.codes.find(({ id }) => id === query.requestId);
		if (!acts || response === 'rejected' || !found) return undefined;
		const isOpen = this.clock.now < found.expiresAt && found.invalid <= found.most;
		const isRight = isOpen && found.code === query.code;
		if (isOpen && !isRight) found.invalid += 1;
		if (!isRight || (found.isUsed && !this.world.service.isReusable)) return undefined;
		found.isUsed = true;
		request.confirmed = found;
		const other = this.codes.find(({ id }) => id !== found.id);
		const shown = response === 'otherId' ? (other?.id ?? `${found.id}1`) : found.id;
		const id = this.world.service.id === 'text' ? shown : this.writeId(shown);
		return {
			request_id: id,
			to: this.writePhone(found.phone),
			...this.times(),
			// An ID of another request is none of this one.
			...(response === 'otherId' && { status: 'Verified' }),
		};
	}

	private times() {
		return { verifiedAt: this.writeTime(this.clock.now) };
	}

	/** How this service rejects a code; with 3, also a request for one. */
	private reject(request: CodeRequest, way: number): Reply {
		const { query, kind } = request;
		const { status } = this.world.service;
		const told = `${wrong.message}${this.echo(request)}`;
		const body = { ...wrong, message: kind === 'check' ? told : wrong.message };
		const full = { request_id: query.requestId, to: '959791000000', ...this.times() };
		const ways: Array<() => Reply> = [
			() => this.json(400, body),
			() => this.json(422, [{ field: 'code', message: body.message }]),
			() => this.json(404, { ...body, status: 404 }),
			() => this.json(200, body),
			...rejecting.map((mark) => () => this.json(status, { ...full, ...mark })),
		];
		// Seen only in responses that say nothing else of a wrong code.
		const empty = () => this.json(status, { ...full, to: '' });
		const isEmpty = way % 10 === 4;
		if (!isEmpty) request.says = 'no';
		return isEmpty ? empty() : at(ways, way)();
	}

	private fail(failure: CodeFailure, request: CodeRequest): Reply {
		if (failure === 'cut') return { code: 'ECONNRESET' };
		if (failure === 'none') return { isSilent: true };
		if (failure === 'garbage') return { status: 200, headers: {}, text: '{"messages":' };
		const { query } = request;
		const to = `/login?code=${String(query.code)}`;
		if (failure === 'redirect') return { status: 302, headers: { location: to }, text: '' };
		const status = Number(failure);
		const body = { name: 'Error', message: `Not now.${this.echo(request)}`, code: 0, status };
		const seconds = at(waits, request.plan?.shape ?? 0);
		const asks = { ...(seconds > 0 && { 'retry-after': String(seconds) }) };
		return { ...this.json(status, body), headers: asks };
	}

	private echo({ query }: CodeRequest): string {
		const secrets = { nothing: '', code: query.code, token: query.accessToken };
		const shown = secrets[this.world.service.shows] ?? '';
		return shown === '' ? '' : ` You sent ${String(shown)}.`;
	}

	private json(status: number, body: unknown) {
		// An ID of 18 digits is written as a number: JavaScript has none.
		const text = (JSON.stringify(body) ?? '').replace(/"#(\d+)"/g, '$1');
		return { status, headers: {}, text };
	}

	private createId(): string {
		const digits = String(400_100_200 + this.codes.length * 7_001);
		return this.world.service.id === 'long' ? `${digits}000000001` : digits;
	}

	private writeId(id: string): unknown {
		return this.world.service.id === 'text' ? id : `#${id}`;
	}

	private writePhone(phone: string): string {
		if (phone.includes('@')) return phone;
		const { number } = this.world.service;
		const national = phone.replace(/^95/, '0');
		return { usual: phone, plus: `+${phone}`, national, masked: '959*******' }[number];
	}

	private writeTime(moment: number): string {
		const iso = new Date(moment + 390 * 60_000).toISOString().slice(0, 19);
		const { date } = this.world.service;
		if (date === 'iso') return new Date(moment).toISOString();
		return date === 'offset' ? `${iso}+06:30` : iso.replace('T', ' ');
	}
}

/** The recipient by which the service knows a phone number or an email address. */
export function toPhone(to: unknown): string {
	const text = String(to);
	return text.includes('@') ? text : text.replace(/\D/g, '').replace(/^09/, '959');
}

/** Spellings of one mailbox are one recipient, as docs/otp-request.md says. */
export function ownerOf(phone: string): string {
	const [name, domain] = phone.toLowerCase().split('@');
	if (domain === undefined) return phone;
	return `${name.replace(/\+.*/, '').replaceAll('.', '')}@gmail.com`;
}
