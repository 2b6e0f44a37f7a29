import { readFileSync } from 'node:fs';

import {
	createSourceFile,
	forEachChild,
	isCallExpression,
	isStringLiteralLike,
	ScriptTarget,
	type Node,
} from 'typescript';

/** The titles of all `describe` and `test` of a file, those of `each` among them, with their lines. */
export function readTitles(file: string): Array<{ title: string; line: number }> {
	const text = readFileSync(file, 'utf8');
	const source = createSourceFile(file, text, ScriptTarget.Latest, true);
	const titles: Array<{ title: string; line: number }> = [];
	const visit = (node: Node): void => {
		if (isCallExpression(node)) {
			const [title] = node.arguments;
			const isTitle = /^(test|describe)\b|\.(test|describe)$/.test(node.expression.getText());
			if (isTitle && title && isStringLiteralLike(title)) {
				const { line } = source.getLineAndCharacterOfPosition(title.getStart());
				titles.push({ title: title.text, line: line + 1 });
			}
		}
		forEachChild(node, visit);
	};
	visit(source);
	return titles;
}
