import type { LoggedRequest } from '../../../sandbox/entities';
import { actLater, advanceClock } from '../../../sandbox/control/clock';
import { createTraffic } from '../../../sandbox/control/traffic';
import { buildToken, readStartSettings } from '../../../sandbox/settings';
import { createState } from '../../../sandbox/state';
import { doAtOnce } from '../../../sandbox/steps';

const to = Array.from({ length: 3_000 }, (_, index) => `0977${1_000_000 + index}`);

/** What the next start would find: messages above the newest mark are not part of it. */
const kept = `SELECT (SELECT count(*) FROM lateAct) AS acts, (SELECT count(*) FROM message
	WHERE mark <= coalesce((SELECT value FROM meta WHERE name = 'mark'), 0)) AS messages`;

/** A crash keeps what is committed: a late act beside its messages would send them twice. */
test('a late act is done with the commit of its messages, however many these are', async () => {
	const settings = readStartSettings({ pace: 0 });
	const state = createState(settings);
	const traffic = createTraffic(state);
	const [credential] = settings.credentials;
	const request = {
		...{ number: 1, method: 'POST', surface: 'rest', path: '/api/rest/send/bulk' },
		...{ query: {}, rawQuery: '', bytes: 0, ipAddress: '127.0.0.1', baseUrl: '' },
		...{ at: 0, clockMs: 0, statusAnswered: 504 },
		headers: {
			'content-type': 'application/json',
			authorization: `Bearer ${buildToken(credential!)}`,
		},
		body: { messages: [{ to, message: 'Hello', from: 'Shop' }] },
	} satisfies LoggedRequest;
	actLater(state, request, 0);
	const commits = new Set<string>();
	state.news.on('change', () => commits.add(JSON.stringify(state.store.all(kept))));
	doAtOnce(advanceClock(state, traffic, 0));
	await Promise.all(traffic.lateActsUnderWay.values());
	await state.store.committed();
	expect([...commits].map((commit) => JSON.parse(commit) as unknown)).toEqual([
		[{ messages: 0, acts: 1 }],
		[{ messages: 3_000, acts: 0 }],
	]);
	state.store.close();
});
