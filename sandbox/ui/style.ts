/** The page brings everything along: no other resource is loaded. */
export const style = `
:root {
	color-scheme: light dark;
	--page: light-dark(#f5f6f8, #15171c);
	--card: light-dark(#fff, #1e2128);
	--line: light-dark(#e3e6eb, #31353f);
	--text: light-dark(#1b1f27, #e6e8ec);
	--dim: light-dark(#5c6472, #9aa2b1);
	--accent: light-dark(#0b62d6, #7db4ff);
	--good: light-dark(#14713d, #6fd79b);
	--bad: light-dark(#b3261e, #ff9c94);
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text); font: 15px/1.5 system-ui, sans-serif; }
header { display: flex; flex-wrap: wrap; gap: 12px 24px; align-items: center; padding: 14px 24px;
	background: var(--card); border-bottom: 1px solid var(--line); }
h1 { font-size: 18px; margin: 0; flex: 1 1 auto; }
form { display: flex; gap: 8px; flex: 0 1 440px; }
input { flex: 1; min-width: 0; }
input, button, select { font: inherit; padding: 6px 12px; border: 1px solid var(--line); border-radius: 8px;
	background: var(--page); color: inherit; }
button { cursor: pointer; color: var(--accent); }
a:focus-visible, pre:focus-visible, select:focus-visible, input:focus-visible, button:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
h1 a { color: inherit; text-decoration: none; }
a { color: var(--accent); }
main { max-width: 1400px; margin: 0 auto; padding: 8px 24px 48px; }
.account { display: flex; flex-wrap: wrap; gap: 8px 16px; align-items: center; }
.account p { margin: 8px 0; }
.account .dim { color: var(--dim); margin-left: auto; }
.account form, .actions form { flex: 0 0 auto; align-items: center; }
.account input { width: 11ch; }
.actions { display: flex; flex-wrap: wrap; gap: 8px 16px; margin: 0 0 24px; }
nav ul { display: flex; flex-wrap: wrap; gap: 4px 20px; list-style: none; margin: 12px 0; padding: 0; }
nav a[aria-current] { color: inherit; font-weight: 600; text-decoration: none; }
dl { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 8px 16px; }
dl div { display: grid; grid-template-columns: 140px 1fr; padding: 4px 0; }
dt { color: var(--dim); }
dd { margin: 0; overflow-wrap: anywhere; }
pre { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 12px; overflow: auto; }
iframe { width: 100%; height: 60vh; border: 1px solid var(--line); border-radius: 10px; background: #fff; }
.problem { margin: 8px 0 0; padding: 8px 16px; border: 1px solid currentColor; border-radius: 10px; color: var(--bad); }
#news { position: fixed; right: 16px; bottom: 8px; margin: 0; padding: 0 12px; background: var(--card); }
section { margin: 0 0 28px; }
h2 { font-size: 16px; margin: 0 0 8px; }
small { color: var(--dim); font-weight: normal; margin-left: 4px; }
table { width: 100%; border-collapse: separate; border-spacing: 0; background: var(--card);
	border: 1px solid var(--line); border-radius: 10px; overflow: hidden; }
th { text-align: left; font-size: 13px; font-weight: 600; color: var(--dim); }
th, td { padding: 8px 12px; vertical-align: top; border-bottom: 1px solid var(--line); }
tr:last-child td { border-bottom: 0; }
td { white-space: nowrap; font-variant-numeric: tabular-nums; }
.text { white-space: normal; overflow-wrap: anywhere; min-width: 12ch; }
.message { white-space: pre-line; unicode-bidi: isolate; }
code { font: 600 17px/1.3 ui-monospace, monospace; letter-spacing: 0.08em; user-select: all; }
.badge, .tag { display: inline-block; border-radius: 99px; font-size: 13px; }
.badge { padding: 0 10px; border: 1px solid currentColor; }
.tag { padding: 0 8px; background: var(--page); color: var(--dim); }
.good { color: var(--good); } .bad { color: var(--bad); }
.open { color: var(--accent); } .dull { color: var(--dim); }
.empty { margin: 0; padding: 24px; text-align: center; color: var(--dim); background: var(--card);
	border: 1px dashed var(--line); border-radius: 10px; }
@media (max-width: 760px) {
	header, main { padding-left: 12px; padding-right: 12px; }
	thead { display: none; }
	td { display: grid; grid-template-columns: 84px 1fr; gap: 0 12px; border: 0; padding: 3px 12px;
		white-space: normal; }
	td::before { content: attr(data-name); grid-column: 1; color: var(--dim); font-size: 13px; }
	td > * { grid-column: 2; justify-self: start; }
	tr { display: block; padding: 8px 0; border-bottom: 1px solid var(--line); }
	td:empty { display: none; }
}
`;
