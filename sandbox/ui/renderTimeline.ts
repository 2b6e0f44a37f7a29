import { html, raw } from 'hono/html';
import { formatNumber, type Html, renderTable } from './layout';
import { entriesPerPage, maxPages, type Timeline } from './timeline';
import { type View, views } from './views';

const columns = ['Time', 'Kind', 'To', 'From', 'Text', 'Status', 'Receipts'];

export function renderTimeline(timeline: Timeline, view: View, search: string): Html {
	const { shown, total, page } = timeline;
	const first = (page - 1) * entriesPerPage + 1;
	const range = `${formatNumber(first)} to ${formatNumber(first + shown.length - 1)} of `;
	const empty = html`<p class="empty">${search ? 'Nothing matches.' : 'Nothing yet.'}</p>`;
	const rows = shown.map(({ render }) => render());
	const hasReceipts = rows.some((cells) => String(cells.at(-1)).includes(' → '));
	return html`<section>
		<h2>
			${views[view]}
			<small>${total > shown.length && shown.length > 0 ? range : ''}${formatNumber(total)}</small>
		</h2>
		${hasReceipts ? legend : ''} ${rows.length === 0 ? empty : renderTable(columns, rows)}
		${total > entriesPerPage ? renderPager(timeline, view, search) : ''}
	</section>`;
}

const legend = html`<p class="dim">
	Receipts: <q>Sent → 200</q> means that your receiver was told the status Sent and responded 200.
</p>`;

function renderPager({ page, total }: Timeline, view: View, search: string): Html {
	const link = (title: string, wanted: number): Html => {
		const fields = { view, ...(search && { q: search }), page: String(wanted) };
		return html`<a href="/_sandbox?${raw(new URLSearchParams(fields).toString())}">${title}</a>`;
	};
	const hasOlder = page * entriesPerPage < total;
	return html`<nav class="pager" aria-label="Pages">
		${page > 1 ? link('Newer', page - 1) : ''}
		${hasOlder && page < maxPages ? link('Older', page + 1) : ''}
		${hasOlder && page === maxPages ? 'The search finds older ones.' : ''}
	</nav>`;
}
