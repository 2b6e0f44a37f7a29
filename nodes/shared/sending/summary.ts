import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { groupBy } from '../input/comparison';
import { nameFirst } from '../input/InputError';
import { hourMs } from '../input/time';
import { escapeHtml } from '../input/text';
import { type Items, nameItem } from '../n8n/errors';
import { findName } from '../n8n/items';
import { doNotSendTo } from '../options/limits';
import { type Entry, toCause, toEntry, toFaultEntry } from './entries';
import { readMoney } from './money';
import type { Plan, Run } from './plan';
import { type Result, resultOfFailure } from './report';

// Parameter Output, value Summary: one item for a whole run, in words for people who see no n8n.

const mostRows = 10;
const longestCell = 30;

const countOf = {
	accepted: 'messages',
	toSend: 'messages',
	alreadySent: 'alreadySent',
	duplicate: 'duplicates',
	optedOut: 'optedOut',
	notSent: 'notSent',
	outcomeUnknown: 'unknown',
} as const satisfies Record<Result, string>;
const counts = [...Object.values(countOf), 'wrong'] as const;
type Count = (typeof counts)[number];

const show = (number: number) => number.toLocaleString('en');
const cut = (value: unknown) =>
	Array.from(String(value ?? '').trim())
		.slice(0, longestCell)
		.join('');

/** A list of rows by cause, as people find them in their file. */
function listRows(context: Items, title: string, entries: Entry[]) {
	const nameRow = ({ item, to }: Entry) => {
		const place = nameItem(context, item).replace(/^./, (letter) => letter.toUpperCase());
		const who = [findName(context, item), to].map(cut).filter(Boolean).join(', ');
		return who ? `${place} (${who})` : place;
	};
	const heading = `${title} (${show(entries.length)})`;
	const parts = [...groupBy(entries, ({ cause = '' }) => cause)].map(([cause, all]) => ({
		head: cause && `${show(all.length)}: ${cause}`,
		rows: nameFirst(all.map(nameRow), mostRows),
	}));
	const lines = parts.flatMap(({ head, rows }) => [head && `- ${head}`, `  ${rows}`]);
	const items = parts.map(({ head, rows }) => {
		const first = head && `<b>${escapeHtml(head)}</b><br>`;
		return `<li>${first}${escapeHtml(rows)}</li>`;
	});
	return {
		text: ['', heading, ...lines.filter(Boolean)],
		html: `<h4>${escapeHtml(heading)}</h4><ul>${items.join('')}</ul>`,
	};
}

function toTitle(of: Record<Count, number>, isDryRun: boolean, stop: string): string {
	if (stop) return isDryRun ? 'Nothing can be sent yet' : stop;
	const told = [
		of.alreadySent > 0 && `${show(of.alreadySent)} already sent`,
		(!isDryRun || of.wrong + of.notSent > 0) && `${show(of.wrong + of.notSent)} not sent`,
		(!isDryRun || of.unknown > 0) && `${show(of.unknown)} unknown`,
	].filter(Boolean);
	if (!isDryRun) return [`${show(of.messages)} accepted`, ...told].join(', ');
	if (of.messages === 0) return ['Nothing new to send', ...told].join(', ');
	return `${show(of.messages)} ${of.messages === 1 ? 'message' : 'messages'} to send`;
}

/**
 * The one item of a run. It never fails: it tells what a run has sent.
 * @param stop why nothing of the whole run would be sent
 */
export async function summarize(
	{ context, client, channel, values }: Pick<Run, 'context'> & Partial<Run>,
	entries: Entry[],
	isDryRun = false,
	stop = '',
): Promise<IDataObject> {
	const by = groupBy(entries, ({ isWrong, result }) => (isWrong ? 'wrong' : countOf[result]));
	const only = (count: Count) => by.get(count) ?? [];
	const all = only('messages');
	const lengths = counts.map((count) => [count, only(count).length] as const);
	const of = Object.fromEntries(lengths) as Record<Count, number>;
	if (stop) of.messages = 0;
	const parts = all.reduce((sum, one) => sum + (one.parts ?? 0), 0);
	const { pricePerPart = 0 } = values ?? {};
	const money = client && (await readMoney(client, all, pricePerPart));
	const { cost = 0, balance, currency = '', abroad = 0 } = money ?? {};
	const short = isDryRun ? (money?.short ?? 0) : 0;
	const amount = (value: number) => `${show(value)} ${currency}`.trim();
	const from = [...new Set(all.map(({ request }) => request?.from).filter(Boolean))].join(', ');
	const isChecked = values !== undefined && values.doNotSendTo !== doNotSendTo.whenAbsent;
	const people = `${show(of.optedOut)} ${of.optedOut === 1 ? 'person' : 'people'}`;
	const elsewhere = abroad > 0 ? `, and other prices abroad (${show(abroad)})` : '';
	const missing = short > 0 ? `: ${amount(short)} short` : '';
	const table: Array<[name: string, value: string | false]> = [
		['Items', show(context.getInputData().length)],
		[isDryRun ? 'Messages to send' : 'Accepted', show(of.messages)],
		['Sender', from],
		['Parts', parts > 0 && show(parts)],
		['Cost', pricePerPart > 0 && `${amount(cost)} (${amount(pricePerPart)} per part${elsewhere})`],
		[
			'Balance',
			balance === undefined ? isDryRun && 'could not be read' : amount(balance) + missing,
		],
		['Already sent', of.alreadySent > 0 && show(of.alreadySent)],
		['Duplicates', of.duplicates > 0 && show(of.duplicates)],
		['Opt-outs', isChecked ? people : 'not checked'],
		['Wrong', of.wrong > 0 && show(of.wrong)],
		['Not sent', of.notSent > 0 && show(of.notSent)],
		['Outcome unknown', of.unknown > 0 && show(of.unknown)],
	];
	const told = table.filter(([, value]) => value);
	const days = (channel?.lookBackMs ?? 0) / (24 * hourMs);
	const span = days > 1 ? ` in the last ${Math.round(days)} days` : '';
	const looks = all.flatMap((one) => (one.looks ?? []).map((cause) => ({ ...one, cause })));
	const groups: Array<[title: string, entries: Entry[]]> = [
		['May have been sent: look them up before you send again', only('unknown')],
		['Not sent', only('notSent')],
		['Wrong in the list, not sent', only('wrong')],
		['Please look at these messages', looks],
		['The same text twice to one number, sent once', only('duplicates')],
		[`Already sent${span}, not sent again`, only('alreadySent')],
		['Opted out, not sent', only('optedOut')],
	];
	const filled = groups.filter(([, entries]) => entries.length > 0);
	const lists = filled.map(([title, entries]) => listRows(context, title, entries));
	const title = toTitle(of, isDryRun, stop);
	const { to, request } = all[0] ?? {};
	const first = request && !request.encrypt ? { to, message: request.message } : undefined;
	const firstLine = `The first message, to ${String(to)}:`;
	const rows = told.map(
		([name, value]) => `<tr><th>${name}</th><td>${escapeHtml(String(value))}</td></tr>`,
	);
	const html = [
		stop && `<p><b>${escapeHtml(stop)}</b></p>`,
		`<table>${rows.join('')}</table>`,
		first &&
			`<p>${escapeHtml(firstLine)}<br><b>${escapeHtml(first.message).replace(/\n/g, '<br>')}</b></p>`,
		...lists.map(({ html }) => html),
	];
	const text = [
		title,
		...(stop && stop !== title ? [stop] : []),
		'',
		...told.map(([name, value]) => `${name}: ${value}`),
		...(first ? ['', firstLine, first.message] : []),
		...lists.flatMap(({ text }) => text),
	];
	return {
		title,
		items: context.getInputData().length,
		...of,
		parts,
		...(pricePerPart > 0 && { cost }),
		...(balance !== undefined && { balance, currency, short }),
		...(from && { from }),
		...(first && { first: first as IDataObject }),
		...(isDryRun && { dryRun: true }),
		...(stop && { stop }),
		text: text.join('\n'),
		html: html.filter(Boolean).join(''),
	};
}

/** Of a run that has sent something, or could have. */
export async function summarizeRun(
	run: Run,
	{ messages, faults }: Plan,
	runError: unknown,
): Promise<IDataObject> {
	const wrong = faults.flatMap(({ item, error, recipients }): Entry[] => {
		const about = toFaultEntry(run.results.explain(item, error));
		return recipients.map((to) => ({ item, to, result: 'notSent', ...about }));
	});
	const entries = [...messages.map((one) => toEntry(one, runError)), ...wrong];
	entries.sort((a, b) => a.item - b.item);
	return await summarize(run, entries);
}

/** Of a run that failed before it had a plan. @param unsent whether anything was sent */
export async function summarizeFailure(
	context: IExecuteFunctions,
	failures: Map<number, unknown>,
	unsent: string,
): Promise<IDataObject> {
	const entries = [...failures].map(([item, error]): Entry => {
		const { phone, to = phone } = context.getInputData()[item].json;
		return { item, to, result: resultOfFailure(error), cause: toCause(error) };
	});
	return await summarize({ context }, entries, false, unsent.replace(/\.$/, ''));
}

/**
 * The summary instead of the items. Items for the error output stay, and come first: n8n decides by the first item
 * whether to retry.
 */
export function withSummary(
	context: IExecuteFunctions,
	[output, ...others]: INodeExecutionData[][],
	summary: IDataObject,
): INodeExecutionData[][] {
	const failed = output.filter(({ json }) => typeof json.error === 'string');
	const isMoved = context.getNode().onError === 'continueErrorOutput';
	const error = isMoved ? undefined : failed[0]?.json.error;
	const json = { ...summary, ...(error !== undefined && { error }) };
	const pairedItem = context.getInputData().map((_, item) => ({ item }));
	return [[...(isMoved ? failed : []), { json, pairedItem }], ...others];
}
