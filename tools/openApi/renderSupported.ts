import { endpoints } from '../../sandbox/service/endpoints';

export interface DescribedOperation {
	summary: string;
	'x-assumptions'?: string[];
}

/** What is needed here of `docs/openapi.yaml`. */
export interface DescribedService {
	paths: Record<string, Record<string, DescribedOperation>>;
	components: { pathItems: Record<string, Record<string, DescribedOperation>> };
	'x-assumptions': string[];
}

/** `sandbox/SUPPORTED.md`: the table of endpoints, and every assumption of the OpenAPI document. */
export function renderSupported(service: DescribedService): string {
	const receipts = Object.values(service.components.pathItems).flatMap((item) =>
		Object.values(item),
	);
	return `${[
		'# What the sandbox supports, and what it assumes',
		'Where the specification of the service says nothing, the sandbox assumes what follows. None of it was tested against a live account. (Generated from `docs/openapi.yaml` and the endpoints of the sandbox by `npx tsx tools/openApi/writeSupported.ts`; a test compares.)',
		'## Endpoints',
		renderTable(service),
		'The specification shows a method for REST send only. The first method of each endpoint is the usual one.',
		'## Assumptions for all endpoints',
		renderList(service['x-assumptions']),
		...Object.entries(service.paths).flatMap(([path, item]) =>
			Object.values(item).map((operation) => renderOperation(`\`${path}\``, operation)),
		),
		...receipts.map((operation) => renderOperation('Delivery receipts', operation)),
	].join('\n\n')}\n`;
}

function renderTable({ paths }: DescribedService): string {
	const rows = endpoints.map(({ path, methods, fields, itemFields = [] }) => {
		const [operation] = Object.values(paths[path] ?? {});
		const names = [...fields, ...itemFields.map((name) => `messages[].${name}`)];
		const shown = names.map((name) => `\`${name}\``).join(', ');
		return `| \`${path}\` | ${methods.join(', ')} | ${operation?.summary ?? ''} | ${shown} |`;
	});
	const head = ['| Path | Methods | What it does | Fields |', '| --- | --- | --- | --- |'];
	return [...head, ...rows].join('\n');
}

function renderOperation(title: string, operation: DescribedOperation): string {
	return `## ${title}\n\n${renderList(operation['x-assumptions'] ?? [])}`;
}

/** @throws Error for an entry that YAML read as an object: a text with a colon needs quotes */
function renderList(assumptions: string[]): string {
	const wrong = assumptions.find((one) => typeof one !== 'string');
	if (wrong !== undefined) throw new Error(`Not a text: ${JSON.stringify(wrong)}`);
	return assumptions.map((one) => `- ${one}${/[.!"]$/.test(one) ? '' : '.'}`).join('\n');
}
