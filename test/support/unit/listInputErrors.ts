import { readFileSync } from 'node:fs';

import ts from 'typescript';

/** An error of the nodes, as its page shows it. */
export interface Row {
	title: string;
	kind: string;
	advice: string;
}

const kinds: Record<string, string> = {
	EmptyError: 'input',
	InputError: 'input',
	LimitError: 'limited',
};

/** Arguments of a call, by the parameter that receives them. */
type Given = Map<string, ts.Expression | undefined>;
const none: Given = new Map();

/** A placeholder for what depends on the input: the label of a field, or a value. */
function nameHole(expression: ts.Expression): string {
	const isLabel = /^((\w+\.)?label|(property\.)?displayName|label\(field\))$/i;
	return isLabel.test(expression.getText()) ? 'Field' : '…';
}

function isNamed(name: string, { name: other }: ts.NamedDeclaration): boolean {
	if (other && ts.isObjectBindingPattern(other)) {
		return other.elements.some((element) => isNamed(name, element));
	}
	return other?.getText() === name;
}

/** What a name stands for at its place: a constant, an argument in `given`, or the default of a parameter. */
function resolve(name: ts.Identifier, given: Given): ts.Expression | undefined {
	for (let scope: ts.Node = name.parent; ; scope = scope.parent) {
		if (ts.isFunctionLike(scope)) {
			const parameter = scope.parameters.find((one) => isNamed(name.text, one));
			if (parameter) return given.get(name.text) ?? parameter.initializer;
		}
		const statements = ts.isBlock(scope) || ts.isSourceFile(scope) ? [...scope.statements] : [];
		const declared = statements
			.filter(ts.isVariableStatement)
			.flatMap(({ declarationList }) => [...declarationList.declarations])
			.find((one) => isNamed(name.text, one));
		if (declared) return declared.initializer;
		if (ts.isSourceFile(scope)) return undefined;
	}
}

/** The text of `place.hint`, if `place` is an object of the same file. */
function readProperty(node: ts.PropertyAccessExpression, given: Given): string | undefined {
	const { expression: owner, name } = node;
	const object = ts.isIdentifier(owner) ? resolve(owner, given) : undefined;
	const value = object && ts.isIdentifier(object) ? resolve(object, given) : object;
	if (!value || !ts.isObjectLiteralExpression(value)) return undefined;
	const property = value.properties.find((one) => isNamed(name.text, one));
	if (property && ts.isShorthandPropertyAssignment(property)) return undefined;
	return property && ts.isPropertyAssignment(property)
		? readText(property.initializer, given)
		: undefined;
}

/** The text that a function of the same file returns, if it is an arrow function with a single text. */
function readCall({ expression }: ts.CallExpression): string | undefined {
	const called = ts.isIdentifier(expression) ? resolve(expression, none) : undefined;
	const isText = called && ts.isArrowFunction(called) && !ts.isBlock(called.body);
	return isText ? readText(called.body as ts.Expression, none) : undefined;
}

/** `long or short` for a choice of two words. */
function readChoice({ whenTrue, whenFalse }: ts.ConditionalExpression): string | undefined {
	const words = [whenTrue, whenFalse].map((one) => ts.isStringLiteral(one) && one.text);
	return words.every(Boolean) ? words.join(' or ') : undefined;
}

/** The text of an expression, with placeholders; `undefined` for what only the input decides. */
function readText(node: ts.Expression | undefined, given: Given): string | undefined {
	if (node === undefined) return undefined;
	if (ts.isStringLiteralLike(node)) return node.text;
	if (ts.isIdentifier(node)) return readText(resolve(node, given), given);
	if (ts.isPropertyAccessExpression(node)) return readProperty(node, given);
	if (ts.isCallExpression(node)) return readCall(node);
	if (ts.isConditionalExpression(node)) return readChoice(node);
	if (ts.isBinaryExpression(node)) return readText(node.right, given);
	if (!ts.isTemplateExpression(node)) return undefined;
	const spans = node.templateSpans.map(
		({ expression, literal }) =>
			(readText(expression, given) ?? nameHole(expression)) + literal.text,
	);
	return node.head.text + spans.join('');
}

function findFunction(node: ts.Node): ts.FunctionDeclaration | undefined {
	for (let scope = node.parent; !ts.isSourceFile(scope); scope = scope.parent)
		if (ts.isFunctionDeclaration(scope)) return scope;
	return undefined;
}

function listNodes(node: ts.Node): ts.Node[] {
	return [node, ...node.getChildren().flatMap(listNodes)];
}

/** What the parameters of a function are given. A destructured parameter stands for its properties. */
function bind(
	{ parameters }: ts.FunctionDeclaration,
	call: ts.CallExpression,
	outer: Given,
): Given {
	const pairs = parameters.flatMap(({ name, initializer }, index) => {
		const argument = call.arguments.at(index) ?? initializer;
		const value =
			argument && ts.isIdentifier(argument) ? (resolve(argument, outer) ?? argument) : argument;
		if (ts.isIdentifier(name)) return [[name.text, value] as const];
		const object = value && ts.isObjectLiteralExpression(value) ? value : undefined;
		return [...name.elements].filter(ts.isBindingElement).map((element) => {
			const property = object?.properties.find((one) => isNamed(element.name.getText(), one));
			const found =
				property && ts.isPropertyAssignment(property) ? property.initializer : undefined;
			return [element.name.getText(), found] as const;
		});
	});
	return new Map(pairs);
}

/** Functions that throw what their callers say. */
const isReporter = ({ parameters }: ts.FunctionDeclaration) =>
	parameters.some(({ name, type }) => name.getText() === 'reason' || type?.getText() === 'Place');

/** With what a function is called in its file, one entry for each call that says something else. */
function listCalls(of: ts.FunctionDeclaration | undefined, nodes: ts.Node[]): Given[] {
	if (!of || !isReporter(of)) return [none];
	return nodes
		.filter(ts.isCallExpression)
		.filter(({ expression }) => expression.getText() === of.name?.text)
		.flatMap((call) => listCalls(findFunction(call), nodes).map((outer) => bind(of, call, outer)));
}

function toRow(node: ts.NewExpression, given: Given): Row {
	const name = node.expression.getText();
	const [first, second, third] = node.arguments ?? [];
	const label = readText(second, given) ?? (second && nameHole(second));
	const [title, advice] =
		name === 'LimitError'
			? [readText(first, given), readText(second, given)]
			: [
					name === 'EmptyError' ? `${label} is empty` : readText(second, given),
					readText(third, given),
				];
	return { title: title ?? '', kind: kinds[name], advice: advice ?? '' };
}

/** The errors in a source file for input that must not reach the service, and for limits. */
export function listInputErrors(file: string): Row[] {
	const text = readFileSync(file, 'utf8');
	const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
	const nodes = listNodes(source);
	return nodes
		.filter(ts.isNewExpression)
		.filter((node) => kinds[node.expression.getText()] !== undefined)
		.flatMap((node) => listCalls(findFunction(node), nodes).map((given) => toRow(node, given)));
}
