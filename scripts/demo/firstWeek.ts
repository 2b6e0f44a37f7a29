import { writeFileSync } from 'node:fs';

/** A message as the sandbox takes it from a seed file. */
export interface PastMessage {
	to: string;
	message: string;
	from: string;
	clientReference: string;
	status: string;
	createdAtMs: number;
}

/** Registered for the demo's account, which rejects others as the service does. */
export const demoSenders = ['MyShop', 'MyShopInfo', 'MyShopSale'] as const;

const minuteMs = 60 * 1000;
const dayMs = 24 * 60 * minuteMs;
const yangonOffsetMs = 390 * minuteMs;

const [shop, info, sale] = demoSenders;
const texts: Array<[from: string, text: (order: number) => string]> = [
	[shop, (order) => `Your order ${order} is on its way.`],
	[shop, (order) => `Your order ${order} is ready. We are open until 18:00.`],
	[info, (order) => `Reminder: we deliver order ${order} tomorrow between 9:00 and 12:00.`],
	[shop, (order) => `သင့်အော်ဒါ ${order} ကို ပို့ပေးလိုက်ပါပြီ။`],
	[sale, () => 'This week: 20 % off all tea. Show this message in the shop.'],
];

function statusOf(index: number): string {
	if (index % 9 === 4) return 'Failed';
	if (index % 14 === 6) return 'Undelivered';
	return index % 31 === 11 ? 'Expired' : 'Delivered';
}

const isDaytime = (ms: number) => {
	const hour = ((ms + yangonOffsetMs) % dayMs) / (60 * minuteMs);
	return hour >= 8 && hour < 20;
};

/** What the shop of the demo sent in the seven days before: to invented numbers, about 20 a day, oldest first. */
export function listFirstWeek(now: number): PastMessage[] {
	const every = 35 * minuteMs;
	const moments = Array.from(
		{ length: Math.floor((7 * dayMs) / every) },
		(_, n) => now - n * every,
	);
	return moments
		.filter(isDaytime)
		.reverse()
		.map((createdAtMs, index) => {
			const [from, text] = texts[(index * 7) % texts.length];
			return {
				to: `0979100${String(1000 + ((index * 37) % 997))}`,
				message: text(2001 + index),
				from,
				clientReference: `demo-${2001 + index}`,
				status: statusOf(index),
				createdAtMs,
			};
		});
}

/** The seed file of the sandbox, which it loads while it has no messages. */
export function writeFirstWeek(file: string): void {
	writeFileSync(file, JSON.stringify({ messages: listFirstWeek(Date.now()) }), { mode: 0o600 });
}
