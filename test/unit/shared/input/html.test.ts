import { escapeHtml } from '../../../../nodes/shared/input/html';

test('text cannot put HTML into a page or an email', () => {
	expect(escapeHtml(`<b>"A" & 'B'</b>`)).toBe('&lt;b&gt;&quot;A&quot; &amp; &#39;B&#39;&lt;/b&gt;');
});
