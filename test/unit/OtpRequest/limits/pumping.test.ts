import { countCode, nameCode } from '../../../../nodes/OtpRequest/limits/countCode';
import { rules } from '../../../../nodes/OtpRequest/limits/rules';
import { LimitError } from '../../../../nodes/shared/n8n/errors';
import { rememberVerified } from '../../../../nodes/shared/n8n/verifiedCodes';
import { runCode } from '../../../support/unit/runCode';

const minute = 60_000;
const day = 24 * 60 * minute;
const limits = {
	maxPerHour: rules.maxPerHour.whenAbsent,
	maxPerRange: rules.maxPerRange.whenAbsent,
	maxPerRecipient: rules.maxPerRecipient.whenAbsent,
	maxPerRecipientPerDay: rules.maxPerRecipientPerDay.whenAbsent,
	maxPerVisitor: rules.maxPerVisitor.whenAbsent,
	pauseSeconds: rules.pauseSeconds.whenAbsent,
};

interface Visit {
	at: number;
	/** Visitors enter their codes within a minute; nobody enters the code of an invented number. */
	isReal: boolean;
}

const spread = (count: number, from: number, length: number, isReal: boolean): Visit[] =>
	Array.from({ length: count }, (_, n) => ({ at: from + (n * length) / count, isReal }));

interface Code {
	createdAt: number;
	requestId: string;
	verifiedAt: string;
}

/** The Code node of example 30, with the codes that it would read at that time. */
function soundsAlarm(codes: Code[], now: number): boolean {
	const input = codes.filter(
		({ createdAt }) => createdAt >= now - 62 * minute && createdAt <= now - 2 * minute,
	);
	const nodes = { 'Every minute': [{ timestamp: new Date(now).toISOString() }] };
	return runCode('sign-in-page', 'Alert due?', { input, nodes }).length > 0;
}

let attacks = 0;

/** A day of 300 visitors, and 2,000 invented numbers among them. */
function play(attack: Visit[]) {
	attacks += 1;
	const start = Date.now() + attacks * 3 * day;
	const visits = [...spread(300, 0, day, true), ...attack].sort((a, b) => a.at - b.at);
	const codes: Code[] = [];
	const sent = { real: 0, invented: 0 };
	for (const [n, { at, isReal }] of visits.entries()) {
		const keys = { node: `pumped ${attacks}`, recipient: `pumped ${attacks} ${n}` };
		try {
			countCode(keys, limits, start + at);
			nameCode(keys, start + at, keys.recipient, start + at);
			if (isReal) rememberVerified(keys.recipient);
		} catch (error) {
			if (error instanceof LimitError) continue;
			throw error;
		}
		sent[isReal ? 'real' : 'invented'] += 1;
		codes.push({ createdAt: at, requestId: `${n}`, verifiedAt: isReal ? 'typed' : '' });
	}
	const minutes = Array.from({ length: 24 * 60 }, (_, n) => n);
	const alarm = minutes.find((now) => soundsAlarm(codes, now * minute));
	const began = Math.min(...attack.map(({ at }) => at)) / minute;
	const wait = alarm === undefined ? undefined : alarm - began;
	return { ...sent, alarmAfterMinutes: wait };
}

describe('2,000 invented numbers among 300 visitors of a day, with the default limits', () => {
	test('get 300 codes in a burst, which the alarm tells of within minutes', () => {
		const result = play(spread(2000, 10 * 60 * minute, 5 * minute, false));
		console.info('burst', result);
		expect(result.invented).toBe(300);
		expect(result.real).toBeGreaterThanOrEqual(285);
		expect(result.alarmAfterMinutes).toBeLessThanOrEqual(5);
	});

	test('stay below the limit where they come evenly, and the alarm tells of them within the hour', () => {
		const result = play(spread(2000, 0, day, false));
		console.info('evenly', result);
		expect(result.real).toBe(300);
		expect(result.alarmAfterMinutes).toBeLessThanOrEqual(60);
	});

	test('raise no alarm while they are not there', () => {
		const result = play(spread(0, 0, day, false));
		expect(result).toMatchObject({ real: 300, alarmAfterMinutes: undefined });
	});
});
