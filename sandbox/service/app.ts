import { setTimeout as pause } from 'node:timers/promises';
import { type Context, Hono } from 'hono';
import { applyFault } from '../control/faultEffects';
import { describeFault, pickFault } from '../control/faults';
import { beginRequest, type LoggedRequest } from '../control/requestLog';
import type { State } from '../state';
import { readIpAddress } from './auth';
import { actLater } from './lateActs';
import { answerRequest, type ServiceEnv } from './routes';

/** All that happens under /api: every request is logged, counted, delayed and, when told, spoilt. */
export function createServiceApp(state: State): Hono<ServiceEnv> {
	const app = new Hono<ServiceEnv>();
	app.all('*', async (context) => {
		const request = await readRequest(context);
		context.set('request', request);
		const endRequest = beginRequest(state, request);
		context.env.outgoing.once('close', () => {
			endRequest();
			if (request.statusAnswered === 'open') request.statusAnswered = 'gone';
		});
		await answer(state, context, request);
		// Before the answer is written: a client that goes on at once must not count twice.
		endRequest();
		return context.res;
	});
	return app;
}

async function answer(
	state: State,
	context: Context<ServiceEnv>,
	request: LoggedRequest,
): Promise<void> {
	const fault = pickFault(state, request);
	if (fault) request.fault = describeFault(fault);
	if (fault?.when === 'later') actLater(state, request, fault.laterMs ?? 0);
	await waitLatency(state);
	const isAnsweredByService =
		!fault ||
		fault.when === 'after' ||
		(typeof fault.effect === 'object' && 'slowMs' in fault.effect);
	if (isAnsweredByService) context.res = await answerRequest(state, request);
	if (fault) {
		const spoilt = await applyFault(state, fault.effect, request, context);
		// Assigned twice: Hono copies the headers of the answer that is being replaced.
		context.res = undefined;
		context.res = spoilt;
	}
	if (request.statusAnswered === 'open') request.statusAnswered = context.res.status;
}

async function waitLatency({ settings, random }: State): Promise<void> {
	const ms = settings.latencyMs + settings.latencyJitterMs * random();
	if (ms > 0) await pause(ms);
}

async function readRequest({ req, env }: Context<ServiceEnv>): Promise<LoggedRequest> {
	const [path = '', rawQuery = ''] = (env.incoming.url ?? '').split(/\?(.*)/s);
	const headers = req.header();
	return {
		at: Date.now(),
		method: req.method,
		surface: /^\/api\/(rest|otp|http)\//.exec(path)?.[1] ?? '',
		path,
		query: Object.fromEntries(new URLSearchParams(rawQuery)),
		rawQuery,
		headers,
		body: parseBody(await req.text()),
		ipAddress: readIpAddress(env.incoming.socket.remoteAddress),
		statusAnswered: 'open',
	};
}

function parseBody(text: string): unknown {
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return text;
	}
}
