import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import ts from 'typescript';

import { describeFailure } from '../../nodes/shared/client/describeFailure';
import {
	ServiceError,
	type ServiceErrorFacts,
	type ServiceErrorKind,
} from '../../nodes/shared/client/ServiceError';

const project = resolve(__dirname, '../..');
const page = join(project, 'docs/errors.md');

/** `UPDATE_ERRORS=true jest test/unit/errorsPage.test.ts` writes the table into the page; format it then. */
const isToWrite = process.env.UPDATE_ERRORS === 'true';

interface Row {
	title: string;
	kind: string;
	advice: string;
}

const send = 'POST /rest/send';
/** One of each sentence that a failure of the service can become. */
const failures: Record<ServiceErrorKind, ServiceErrorFacts[]> = {
	address: [{}],
	authentication: [{ status: 401 }],
	forbidden: [{ status: 403 }, { status: 403, code: 'blindRetry' }],
	notFound: [{ status: 404 }],
	refused: [
		{ status: 400 },
		{ status: 200, words: 'Invalid Sender ID' },
		{ code: 'rejectedInARow', requests: 14, words: 'Invalid Sender ID' },
	],
	rateLimited: [{ status: 429 }],
	unavailable: [
		{ status: 503 },
		{ code: 'ECONNREFUSED' },
		{ code: 'ETIMEDOUT' },
		{ code: 'heldBack' },
		{ status: 503, requests: 3, history: 'nothing', waitedMs: 60_000, mayHaveActed: true },
	],
	redirected: [{ status: 302 }],
	unreadable: [{ status: 200 }],
	outcomeUnknown: [
		{ status: 500, clientReference: 'order-1', history: 'nothing', waitedMs: 60_000 },
		{ code: 'ECONNRESET', history: 'unreadable' },
	],
	cancelled: [{}],
};

const ofService = Object.entries(failures).flatMap(([kind, all]) =>
	all.map((facts): Row => {
		const error = new ServiceError(kind as ServiceErrorKind, { request: send, ...facts });
		const { message, description } = describeFailure(error);
		return { title: message, kind, advice: description };
	}),
);

/** What is filled in: the label of a field, or a value. */
function nameHole(expression: string): string {
	return /^(label|displayName|property\.displayName|label\(field\))$/i.test(expression)
		? 'Field'
		: '…';
}

function isNamed(name: string, { name: other }: ts.NamedDeclaration): boolean {
	return other?.getText() === name;
}

/** The value of a constant, as it is seen from where its name stands; none of what is handed over. */
function findConstant(name: ts.Identifier): ts.Expression | undefined {
	for (let scope: ts.Node = name.parent; ; scope = scope.parent) {
		if (ts.isFunctionLike(scope) && scope.parameters.some((one) => isNamed(name.text, one)))
			return undefined;
		const statements = ts.isBlock(scope) || ts.isSourceFile(scope) ? [...scope.statements] : [];
		const declared = statements
			.filter(ts.isVariableStatement)
			.flatMap(({ declarationList }) => [...declarationList.declarations])
			.find((one) => isNamed(name.text, one));
		if (declared) return declared.initializer;
		if (ts.isSourceFile(scope)) return undefined;
	}
}

/** For advice that depends on the value. */
const inDescription = 'The description of the error says what is right.';

/** The text of a literal or of a constant; `undefined` for what is made elsewhere. */
function readText(node: ts.Expression | undefined): string | undefined {
	if (node === undefined) return undefined;
	if (ts.isIdentifier(node)) return readText(findConstant(node));
	if (ts.isStringLiteralLike(node)) return node.text;
	if (!ts.isTemplateExpression(node)) return undefined;
	const spans = node.templateSpans.map(
		({ expression, literal }) => nameHole(expression.getText()) + literal.text,
	);
	return node.head.text + spans.join('');
}

const kinds: Record<string, string> = { InputError: 'input', LimitError: 'limited' };

/** What the nodes say of input that must not reach the service, and of limits, as it stands in the code. */
function readRows(file: string): Row[] {
	const source = ts.createSourceFile(
		file,
		readFileSync(file, 'utf8'),
		ts.ScriptTarget.Latest,
		true,
	);
	const rows: Row[] = [];
	const visit = (node: ts.Node): void => {
		if (ts.isNewExpression(node) && kinds[node.expression.getText()]) {
			const [title, hint] = node.expression.getText() === 'LimitError' ? [0, 1] : [1, 2];
			const text = readText(node.arguments?.[title]);
			// What has a hole alone is one of the sentences below.
			if (text && !/^[\w ]+ …: …$|^[\w ]+ …$/.test(text))
				rows.push({
					title: text,
					kind: kinds[node.expression.getText()],
					advice: readText(node.arguments?.[hint]) ?? '',
				});
		}
		if (ts.isCallExpression(node) && node.expression.getText() === 'reject') {
			const texts = node.arguments.map(readText);
			const at = texts.findIndex((text) =>
				/^(is|has|contains|opens|could|must)\b/.test(text ?? ''),
			);
			if (at >= 0)
				rows.push({
					title: `Field ${texts[at]}`,
					kind: 'input',
					advice: texts[at + 1] ?? texts[at + 2] ?? '',
				});
		}
		ts.forEachChild(node, visit);
	};
	visit(source);
	return rows;
}

const files = readdirSync(join(project, 'nodes'), { recursive: true, encoding: 'utf8' })
	.filter((file) => file.endsWith('.ts'))
	.sort();
const ofInput = files.flatMap((file) => readRows(join(project, 'nodes', file)));
const rows = [...ofService, ...ofInput];

const toCell = (text: string) =>
	text
		.replace(/\s*\n\s*/g, ' ')
		.replace(/[|<>*_]/g, '\\$&')
		.trim();

/** Without the spaces by which Prettier aligns the columns. */
const withoutPadding = (table: string) => table.replace(/ +/g, ' ').replace(/-+/g, '-');

function printTable(): string {
	const unique = new Map(rows.map((row) => [row.title, row]));
	const lines = [...unique.values()]
		.sort((a, b) => (`${a.kind} ${a.title}` < `${b.kind} ${b.title}` ? -1 : 1))
		.map(({ title, kind, advice }) => {
			const isTold = /[^…\s]/.test(advice);
			return `| ${toCell(title)} | \`${kind}\` | ${toCell(isTold ? advice : inDescription)} |`;
		});
	return ['| What you read | `kind` | What to do |', '| --- | --- | --- |', ...lines].join('\n');
}

describe('the errors of the nodes', () => {
	test('stand in the table of their page, every one of them', () => {
		const text = readFileSync(page, 'utf8');
		const [shown = ''] = /^\| What you read[^]*?(?=\n\n)/m.exec(text) ?? [];
		const table = printTable();
		if (isToWrite)
			writeFileSync(
				page,
				text.replace(shown, () => table),
			);
		else expect(withoutPadding(shown)).toBe(withoutPadding(table));
	});

	test('say in their title what happened, in 80 characters, and what to do below it', () => {
		const withoutValues = (title: string) => title.replace(/: (Invalid Sender ID|….*)$/, '');
		const long = rows.filter(({ title }) => withoutValues(title).length > 80);
		expect(long.map(({ title }) => title)).toEqual([]);
	});

	test('of a send begin with whether something was sent', () => {
		const first =
			/^(Nothing was sent|Not sent|The message was not sent|The message may have been sent|Outcome unknown: )/;
		const silent = ofService.filter(
			({ title, advice, kind }) =>
				kind !== 'cancelled' && !first.test(title) && !first.test(advice),
		);
		expect(silent).toEqual([]);
	});
});
