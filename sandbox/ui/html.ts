/** HTML whose values are escaped. */
export class Html {
	constructor(private readonly text: string) {}

	toString(): string {
		return this.text;
	}
}

export type Cell = Html | Html[] | string | number | false | null | undefined;

const entities: Record<string, string> = {
	...{ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' },
};

function write(value: Cell | Cell[]): string {
	if (Array.isArray(value)) return value.map(write).join('');
	if (value instanceof Html) return value.toString();
	if (value === undefined || value === null || value === false) return '';
	return String(value).replace(/[&<>"']/g, (one) => entities[one] ?? one);
}

export const raw = (text: string): Html => new Html(text);

export function html(texts: TemplateStringsArray, ...values: Array<Cell | Cell[]>): Html {
	return raw(String.raw({ raw: texts }, ...values.map(write)));
}
