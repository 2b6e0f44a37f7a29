import { html } from 'hono/html';
import type { Behaviour } from '../entities';
import { listSpecialNumbers } from '../service/specialNumbers';
import type { State } from '../state';
import type { Html } from './layout';
import { renderHead, renderList } from './renderDetails';

const receiptWords = {
	once: '',
	twice: 'every receipt comes twice',
	none: 'no receipt ever comes',
	reversed: 'receipts come at the end, the newest first',
};
const refusalWords = {
	inBody: 'rejected inside a 2xx, with status false; codes: 400',
	byStatus: 'the whole request is rejected with 400',
};

export function renderSpecialNumbers({ settings }: State): Html {
	const rows = listSpecialNumbers(settings).map(([number, behaviour]) => [
		number.replace(/^959/, '09'),
		behaviour.refusal ? 'none' : ['Accepted', ...behaviour.statuses].join(', '),
		describe(behaviour),
	]);
	return html`${renderHead('Special numbers')}
		<p>
			Every other number gets Accepted, Sent, Delivered. The setting <q>numbers</q> adds numbers of
			your own.
		</p>
		${renderList('Numbers and their statuses', ['Number', 'Statuses', 'Also'], rows)}`;
}

function describe({ refusal, receipts = 'once', ...times }: Behaviour): string {
	const { paceFactor = 1, answerDelayMs = 0, isEarly = false } = times;
	const words = [
		refusal && refusalWords[refusal],
		receiptWords[receipts],
		paceFactor !== 1 && `${paceFactor} times as slow`,
		answerDelayMs > 0 && `the response comes after ${answerDelayMs / 1000} s`,
		isEarly && 'all receipts come before the response',
	];
	return words.filter(Boolean).join('; ');
}
