/** Whether the character before a place is escaped: an odd number of backslashes stands there. */
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
 * The `{{ ... }}` of an expression as they were written, in their order. n8n cuts them out without looking into the
 * code: the first `}}` ends one, also within a string, unless a backslash stands before it.
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
