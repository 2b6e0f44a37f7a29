import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';

import { runCode } from '../support/unit/runCode';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/** In Myanmar. */
const at = (time: string) => DateTime.fromISO(time, { zone: 'Asia/Yangon' });
const setClock = (time: DateTime) => jest.setSystemTime(time.toMillis());
/** As a service in that zone writes it. */
const write = (time: string, zone = 'Asia/Yangon') =>
	at(time).setZone(zone).toFormat('yyyy-MM-dd HH:mm:ss');

describe('morning-report', () => {
	/** Each morning at 7:30, and what n8n keeps in between. */
	const open = (serviceZone = 'Asia/Yangon') => {
		const staticData: IDataObject = {};
		return (start: string, messages: object[], failures: object[] = [{}], tookSeconds = 5) => {
			setClock(at(start).plus({ seconds: tookSeconds }));
			const nodes = {
				Settings: [{ pricePerPart: 20, serviceZone, startedAt: at(start).toISO() }],
				'Messages of 7 days': messages,
				Failures: failures,
				Balance: [{ balance: 7000, currency: 'MMK' }],
				Codes: [{}],
			};
			const [report] = runCode('morning-report', 'Report', { nodes, staticData });
			runCode('morning-report', 'Reported', { nodes: { ...nodes, Report: [report] }, staticData });
			return `${String(report.subject)}\n${String(report.text)}`;
		};
	};

	test('names a message once that expires days after it was created', () => {
		const report = open();
		const message = { messageId: '1', createdAt: write('2026-11-24T10:00') };
		const pending = { ...message, status: 'Pending', finishedAt: null };
		const expired = { ...message, status: 'Expired', finishedAt: write('2026-11-27T10:00') };
		expect(report('2026-11-27T07:30', [pending])).toContain('all is well');
		expect(report('2026-11-28T07:30', [expired])).toMatch(/1 not delivered[^]*Expired: 1/);
		expect(report('2026-11-29T07:30', [expired])).toContain('all is well');
	});

	test('names a message that the service rejects without a time', () => {
		const createdAt = write('2026-11-27T10:00');
		const rejected = { messageId: '1', createdAt, status: 'Rejected', finishedAt: null };
		expect(open()('2026-11-28T07:30', [rejected])).toContain('Rejected: 1');
	});

	test('names what ended while no report could be sent', () => {
		const report = open();
		const finishedAt = write('2026-11-25T10:00');
		const message = { messageId: '1', createdAt: finishedAt, finishedAt, status: 'Failed' };
		report('2026-11-25T07:30', [{}]);
		expect(report('2026-11-28T07:30', [message])).toContain('1 not delivered');
	});

	test('names in the next report what ended while history could not be read', () => {
		const report = open();
		const finishedAt = write('2026-11-27T10:00');
		const message = { messageId: '1', createdAt: finishedAt, finishedAt, status: 'Failed' };
		report('2026-11-27T07:30', [{}]);
		expect(report('2026-11-28T07:30', [{ error: 'down' }])).toContain('could not be read: down');
		expect(report('2026-11-29T07:30', [message])).toContain('1 not delivered');
		expect(report('2026-11-30T07:30', [message])).toContain('all is well');
	});

	test('names in the next report what fails while it reads', () => {
		const report = open();
		const failure = {
			...{ workflow: 'Orders', node: 'SMS Send', problem: 'Stopped', execution: '' },
			createdAt: at('2026-11-27T07:30:20').toISO(),
		};
		expect(report('2026-11-27T07:30', [{}], [{}], 60)).toContain('Failed executions: 0');
		expect(report('2026-11-28T07:30', [{}], [failure])).toContain('Failed executions: 1');
		expect(report('2026-11-29T07:30', [{}], [failure])).toContain('Failed executions: 0');
	});

	test('names the numbers that got no SMS, ten of each status, and those of the campaign', () => {
		setClock(at('2026-11-28T07:30'));
		const settings = { pricePerPart: 20, serviceZone: 'Asia/Yangon' };
		const createdAt = write('2026-11-27T10:00');
		const updatedAt = at('2026-11-27T10:00').toISO();
		const rejected = { phone: '0979', status: 'rejected', problem: 'Too short.', updatedAt };
		const nodes = {
			Settings: [{ ...settings, startedAt: at('2026-11-28T07:30').toISO() }],
			Balance: [{ balance: 7000, currency: 'MMK' }],
			'Messages of 7 days': Array.from({ length: 12 }, (_, n) => ({
				...{ messageId: `${n}`, to: `95979${n}`, clientReference: `order-${n}` },
				...{ status: 'Failed', createdAt },
			})),
			Campaign: [rejected, { ...rejected, updatedAt: at('2026-11-26T10:00').toISO() }],
		};
		const [{ subject, text }] = runCode('morning-report', 'Report', { nodes, staticData: {} });
		expect(subject).toMatch(/12 not delivered, 1 not sent or unknown in the campaign$/);
		expect(text).toMatch(/not sent or unknown: 1\n0979: rejected\. Too short\./);
		expect(text).toMatch(/Failed: 12 \(959790 order-0, .*959799 order-9, and 2 more\)/);
	});

	test.each(['Asia/Yangon', 'UTC', 'Asia/Tokyo'])('counts 24 hours of a service in %s', (zone) => {
		const messages = ['2026-11-27T07:29', '2026-11-27T07:31', '2026-11-28T07:29'].map((time) => ({
			...{ messageId: time, status: 'Failed' },
			...{ createdAt: write(time, zone), finishedAt: write(time, zone) },
		}));
		const report = open(zone)('2026-11-28T07:30', messages);
		expect(report).toMatch(/Messages since yesterday: 2\.[^]*Failed: 2/);
	});
});

describe('sign-in-page', () => {
	const start = at('2026-11-27T10:00');
	/** Every minute of hours: the data table is read first, and the email is out some seconds later. */
	const play = (floods: number[]) => {
		const isoAt = (minute: number) => start.plus({ minutes: minute }).toUTC().toISO() as string;
		const rows: object[] = floods.flatMap((minute) =>
			Array.from({ length: 300 }, (_, n) => ({ ticket: `${n}`, createdAt: isoAt(minute) })),
		);
		const mails: Array<{ minute: number; text: string }> = [];
		for (let minute = 0; minute < 240; minute += 1) {
			const [now, oldest] = [isoAt(minute), isoAt(minute - 62)];
			const input = (rows as Array<{ createdAt: string }>).filter(
				({ createdAt }) => createdAt <= now && createdAt >= oldest,
			);
			setClock(start.plus({ minutes: minute }));
			const [mail] = runCode('sign-in-page', 'Alert due?', { input });
			if (!mail) continue;
			expect(mail.limitReached).toBe('maxPerHour');
			mails.push({ minute, text: String(mail.text) });
			rows.push({ createdAt: isoAt(minute + 0.05), alert: mail.text });
		}
		return mails;
	};
	const minutesOf = (mails: Array<{ minute: number }>) => mails.map(({ minute }) => minute);

	test.each([0.1, 0.5, 0.9])('alerts once about a limit that was reached once, %f', (minute) => {
		const mails = play([minute]);
		expect(minutesOf(mails)).toEqual([1]);
		expect(mails[0].text).toContain('new visitors got no code');
	});

	test('alerts each hour about a limit that is reached each hour', () => {
		expect(minutesOf(play([0.5, 60.7, 120.9]))).toEqual([1, 62, 123]);
	});
});

describe('delivery-status-by-schedule', () => {
	test('passes on a message that the service rejects without a time, once', () => {
		const createdAt = write('2026-11-27T10:00');
		const rejected = { messageId: '1', to: '959', status: 'Rejected', createdAt, finishedAt: null };
		const sent = { ...rejected, messageId: '2', status: 'Sent' };
		const run = (told: object[]) =>
			runCode('delivery-status-by-schedule', 'New final statuses', {
				...{ input: [sent, rejected], nodes: { 'Already processed': told } },
			});
		const [first] = run([{}]);
		expect(first).toMatchObject({ final: [rejected], undelivered: [rejected] });
		expect(run(first.rows as object[])).toEqual([]);
	});
});

describe('delivery-dashboard', () => {
	test('lists a text that was sent again only where its newest message failed, too', () => {
		setClock(at('2026-11-27T12:00'));
		const message = (n: number, time: string, status: string) => ({
			...{ messageId: `m-${time}-${n}`, to: `95979${n}`, message: 'Hello', status },
			createdAt: write(`2026-11-27T${time}`),
		});
		const input = [
			...[message(1, '09:00', 'Failed'), message(1, '10:00', 'Delivered')],
			...[message(2, '09:00', 'Delivered'), message(2, '10:00', 'Failed')],
		];
		const settings = { days: 7, failures: 10, pricePerPart: 20, currency: 'MMK' };
		const nodes = { Settings: [{ ...settings, serviceZone: 'Asia/Yangon' }] };
		const [{ html }] = runCode('delivery-dashboard', 'Draw the page', { input, nodes });
		expect(html).toContain('<td>959792</td>');
		expect(html).not.toContain('<td>959791</td>');
	});

	test.each(['Asia/Yangon', 'UTC', 'Asia/Tokyo'])(
		'shows what was sent just now as of today, by the clock of a service in %s',
		(serviceZone) => {
			for (const time of ['2026-11-27T02:00', '2026-11-27T12:00', '2026-11-27T23:30']) {
				setClock(at(time));
				const settings = { days: 7, failures: 10, pricePerPart: 20, currency: 'MMK', serviceZone };
				const createdAt = write(time, serviceZone);
				const [{ html }] = runCode('delivery-dashboard', 'Draw the page', {
					input: [{ messageId: '1', status: 'Delivered', messageCount: 1, createdAt }],
					nodes: { Settings: [settings] },
				});
				const bars = [...String(html).matchAll(/<title>([\d-]+): (\d+) delivered/g)];
				expect(bars.map(([, , count]) => count)).toEqual(['0', '0', '0', '0', '0', '0', '1']);
				expect(bars.at(-1)?.[1]).toBe(createdAt.slice(0, 10));
				expect(html).toContain(`As of ${createdAt.slice(0, 16)} (${serviceZone}).`);
			}
		},
	);
});
