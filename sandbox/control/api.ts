import { type Context, Hono } from 'hono';
import type { StoredMessage } from '../entities';
import { decryptMessage } from '../service/encryption';
import { buildErrorBody } from '../service/refusal';
import type { Settings } from '../settings';
import type { State } from '../state';
import type { FaultRule } from './faultRule';
import type { Controls } from './controls';
import type { Traffic } from './traffic';

/** Our own paths, as JSON, for tests and tools in another process. Not authenticated: loopback only. */
export function createControlApp(state: State, traffic: Traffic, controls: Controls): Hono {
	const app = new Hono();
	addLists(app, controls);
	addSettings(app, state, controls);
	addFaults(app, traffic, controls);
	addActions(app, controls);
	app.notFound((context) => refuse(context, 404, 'The sandbox has no such control path.'));
	app.onError((error, context) => refuse(context, 400, error.message));
	return app;
}

function addLists(app: Hono, controls: Controls): void {
	app.get('/messages', (context) => context.json(pickNewest(context, controls.messages())));
	app.get('/codes', (context) => context.json(pickNewest(context, controls.codes())));
	app.get('/requests', (context) => context.json(pickNewest(context, controls.requests())));
	app.get('/receipts', (context) => context.json(pickNewest(context, controls.receipts())));
	app.get('/stats', (context) => context.json(controls.stats()));
	app.get('/balance', (context) => context.json(controls.balance()));
}

/** `?newest=100` gives only so many, still oldest first. */
function pickNewest<T>(context: Context, list: T[]): T[] {
	const newest = Number(context.req.query('newest') ?? list.length);
	return newest > 0 ? list.slice(-newest) : [];
}

function addSettings(app: Hono, state: State, controls: Controls): void {
	app.get('/settings', (context) => context.json(describeSettings(state.settings)));
	app.put('/settings', async (context) => {
		const changes = await context.req.json<Partial<Settings>>();
		controls.configure(changes);
		return context.json(describeSettings(state.settings));
	});
}

/** Without the secrets, which whoever set them knows. */
function describeSettings(settings: Settings): object {
	const credentials = settings.credentials.map(({ apiKey, products, whitelist }) => ({
		apiKey,
		products,
		whitelist,
	}));
	return { ...settings, credentials };
}

function addFaults(app: Hono, traffic: Traffic, controls: Controls): void {
	app.get('/faults', (context) => context.json(traffic.faults));
	app.post('/faults', async (context) => {
		const rules = await context.req.json<FaultRule | FaultRule[]>();
		for (const rule of [rules].flat()) controls.addFault(rule);
		return context.json(traffic.faults, 201);
	});
	app.delete('/faults', (context) => {
		controls.clearFaults();
		return context.json([]);
	});
}

interface Seed {
	count: number;
	/** Laid over each record. */
	message?: Partial<StoredMessage>;
}

function addActions(app: Hono, controls: Controls): void {
	app.post('/reset', (context) => {
		controls.reset();
		return context.json({ done: true });
	});
	app.post('/advance', async (context) => {
		const { ms } = await context.req.json<{ ms: number }>();
		controls.advance(ms);
		await controls.settle();
		return context.json({ done: true });
	});
	app.post('/settle', async (context) => {
		await controls.settle();
		return context.json({ done: true });
	});
	app.post('/messages/:id/status', async (context) => {
		const { status } = await context.req.json<{ status: string }>();
		await controls.setStatus(context.req.param('id'), status);
		return context.json({ done: true });
	});
	app.post('/seed', async (context) => {
		const { count, message = {} } = await context.req.json<Seed>();
		controls.seedMessages(count, () => message);
		return context.json({ done: true }, 201);
	});
	app.post('/decrypt', async (context) => {
		const { message, encryptKey } = await context.req.json<Record<string, string>>();
		return context.json({ message: await decryptMessage(message ?? '', encryptKey ?? '') });
	});
}

function refuse(context: Context, status: 400 | 404, message: string): Response {
	return context.json(buildErrorBody(status, message), status);
}
