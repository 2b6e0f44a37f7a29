import type { INodeParameters } from 'n8n-workflow';

import { describeValue, InputError } from '../validation/InputError';
import { isEmptyValue, type Options, type RunValuesOf, type ValuesOf } from './option';
import { isFixed, type ReadField } from './readParameters';

interface Place {
	/** The node's parameters as they are written. */
	parameters: INodeParameters;
	readField: ReadField;
	/** How many items there are. */
	items: number;
	/** The collection that the options are in: `options` when it is left out. */
	collection?: 'options' | 'filters';
	/** Whether an option that an AI model fills in ($fromAI) counts as absent when it is empty. */
	isFreeForModel?: boolean;
}

/** What makes an expression depend on its item; `$now` and whole lists of other nodes do not. */
const dependsOnItem =
	/\$json|\$binary|\$item|\$position|\$data\b|\$node\b|\.item\b|itemMatching|paired/;

type Raw = Record<string, unknown>;

function isRaw(value: unknown): value is Raw {
	return typeof value === 'object' && value !== null;
}

/** Reads the options of a node, and fills in those that are absent. Every method throws InputError. */
export class OptionReader<O extends Options> {
	/** Options that are written one by one; undefined where the collection is one expression. */
	private readonly written: Raw | undefined;
	private readonly collection: string;
	private readonly absent: Raw;
	private readonly ofItem: string[];
	private run?: Raw;
	/** Where no option of the item is an expression. */
	private fixed?: Raw;

	constructor(
		private readonly options: O,
		private readonly place: Place,
	) {
		this.collection = place.collection ?? 'options';
		const written = place.parameters[this.collection] ?? {};
		this.written = isRaw(written) ? written : undefined;
		const all = Object.entries(options);
		this.absent = Object.fromEntries(all.map(([name, { whenAbsent }]) => [name, whenAbsent]));
		this.ofItem = this.inUse(false);
	}

	/** The values that hold for the whole run. */
	ofRun(): RunValuesOf<O> {
		return this.readRun() as RunValuesOf<O>;
	}

	/** The values for an item, those of the run among them. */
	read(item: number): ValuesOf<O> {
		const values = this.fixed ?? { ...this.readRun(), ...this.pick(this.ofItem, item) };
		if (this.ofItem.every((name) => isFixed(this.written?.[name]))) this.fixed = values;
		return values as ValuesOf<O>;
	}

	private readRun(): Raw {
		if (this.run) return this.run;
		const names = this.inUse(true);
		for (const name of names) this.requireSame(name);
		return (this.run = { ...this.absent, ...this.pick(names, 0) });
	}

	private inUse(isOfRun: boolean): string[] {
		return Object.keys(this.options).filter(
			(name) =>
				(this.options[name].isOfRun ?? false) === isOfRun &&
				(!this.written || Object.hasOwn(this.written, name)),
		);
	}

	private pick(names: string[], item: number): Raw {
		return Object.fromEntries(names.map((name) => [name, this.readOne(name, item)]));
	}

	private readOne(name: string, item: number): unknown {
		const { read, whenAbsent } = this.options[name];
		const given = this.give(name, item);
		if (!given) return whenAbsent;
		const isLeftOut =
			this.place.isFreeForModel === true &&
			isEmptyValue(given.value) &&
			String(this.written?.[name]).includes('$fromAI');
		return isLeftOut ? whenAbsent : read(given.value);
	}

	/** Undefined where the option is absent. */
	private give(name: string, item: number): { value: unknown } | undefined {
		const { readField } = this.place;
		if (this.written) return { value: readField(`${this.collection}.${name}`, item) };
		const all = readField(this.collection, item);
		return isRaw(all) && Object.hasOwn(all, name) ? { value: all[name] } : undefined;
	}

	private requireSame(name: string): void {
		const raw = this.written ? this.written[name] : this.place.parameters[this.collection];
		if (isFixed(raw) || !dependsOnItem.test(JSON.stringify(raw))) return;
		const first = this.give(name, 0)?.value;
		for (let item = 1; item < this.place.items; item += 1) {
			const value = this.give(name, item)?.value;
			if (JSON.stringify(value) === JSON.stringify(first)) continue;
			const { displayName } = this.options[name].property;
			throw new InputError(
				name,
				`${displayName} differs between items: it is ${describeValue(first)} for item 0 and ${describeValue(value)} for item ${item}`,
				`Nothing was sent. ${displayName} holds for the whole run: use one value for all items.`,
			);
		}
	}
}
