/** Whether the character after this text is escaped: the text ends with an odd number of backslashes. */
function isEscaped(before: string): boolean {
	const [backslashes] = /\\*$/.exec(before) ?? [''];
	return backslashes.length % 2 === 1;
}

function findBrackets(text: string, brackets: '{{' | '}}', from: number): number {
	let index = text.indexOf(brackets, from);
	while (index >= 0 && isEscaped(text.slice(from, index))) {
		index = text.indexOf(brackets, index + brackets.length);
	}
	return index;
}

/**
 * The `{{ ... }}` of an expression, verbatim and in order. n8n does not parse the code inside: the first `}}` ends a
 * piece, even within a string, unless a backslash precedes it.
 */
export function listPieces(expression: string): string[] {
	const pieces: string[] = [];
	let from = 0;
	for (;;) {
		const open = findBrackets(expression, '{{', from);
		const close = open < 0 ? -1 : findBrackets(expression, '}}', open + 2);
		if (close < 0) return pieces;
		pieces.push(expression.slice(open, close + 2));
		from = close + 2;
	}
}
