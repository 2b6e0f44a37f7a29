import type { IExecuteFunctions, INodeParameters, INodeProperties } from 'n8n-workflow';

import type { OptionalFields } from '../client/types';
import { attempt, describeValue, InputError } from '../input/InputError';
import { nameFailedExpression } from '../n8n/expression';
import { createFieldReader, isFixed, type ReadField } from './fields';
import {
	collectionNames,
	isEmptyValue,
	type Option,
	type Options,
	type RunValuesOf,
	type ValuesOf,
} from './option';

/** What AI builders read of an option: n8n shows them its `default`, which fills in a new field, as if it applied. */
function withAbsence({ property, whenAbsent }: Option): INodeProperties {
	const words: Record<string, string> = {
		...{ false: 'off', true: 'on', Infinity: 'no limit', undefined: 'not in effect' },
	};
	const hasOther = ![undefined, '', whenAbsent].includes(property.default as never);
	if (!hasOther || typeof whenAbsent === 'object') return property;
	const value = String(whenAbsent);
	return { ...property, builderHint: { propertyHint: `Absent: ${words[value] ?? value}.` } };
}

/** n8n's collections Filters and Options, without empty ones, in the order of the options. */
export function toCollections(options: Options): INodeProperties[] {
	const all = Object.values(options);
	return collectionNames.flatMap((name): INodeProperties[] => {
		const own = all.filter(({ collection = 'options' }) => collection === name);
		if (own.length === 0) return [];
		return [
			{
				displayName: `${name[0].toUpperCase()}${name.slice(1)}`,
				name,
				type: 'collection',
				placeholder: `Add ${name.slice(0, -1)}`,
				default: {},
				options: own.map(withAbsence),
			},
		];
	});
}

/**
 * What the credential has for a field that the user left empty, or the field. An expression is not left empty: one that
 * returns nothing is an error.
 */
export function readOrTakeDefault<Name extends string>(
	context: IExecuteFunctions,
	readField: ReadField,
	name: Name,
	item: number,
	{ [name]: value }: Record<Name, string>,
): unknown {
	const { [name]: raw = '' } = context.getNode().parameters as Record<string, unknown>;
	const isLeftEmpty = typeof raw === 'string' && /^=?\s*$/.test(raw);
	return isLeftEmpty && value !== '' ? value : readField(name, item);
}

/** Terms that make an expression depend on its item; `$now` and whole lists of other nodes do not. */
const dependsOnItem =
	/\$json|\$binary|\$item|\$position|\$parameter|\$data\b|\$node\b|\.item\b|itemMatching|paired/;

type Raw = Record<string, unknown>;

/** Reads the options of a node and fills in absent ones. @throws InputError from `ofRun` and `read` */
export class OptionReader<O extends Options> {
	/** As written, of options in use: not of those that are hidden while their companion is off. */
	private readonly written: Raw;
	private readonly absent: Raw;
	/** Whether no per-item option contains an expression. */
	private readonly isFixed: boolean;
	private readonly known: Raw[] = [];
	private run?: { value: Raw } | { error: unknown };

	constructor(
		private readonly options: O,
		private readonly readField: ReadField,
		private readonly place: { parameters: INodeParameters; items: number },
	) {
		const all = Object.entries(options);
		const raws = Object.fromEntries(
			all.map(([name, { collection = 'options', property }]) => {
				const { parameters } = place;
				// n8n reads a collection that is a single expression as empty.
				const fields = collection === null ? parameters : Object(parameters[collection]);
				return [name, fields[property.name] as unknown];
			}),
		);
		const isInUse = ([name, { companion }]: [string, Option]) =>
			raws[name] !== undefined && (companion === undefined || Boolean(raws[companion]));
		this.written = Object.fromEntries(all.filter(isInUse).map(([name]) => [name, raws[name]]));
		this.absent = Object.fromEntries(all.map(([name, { whenAbsent }]) => [name, whenAbsent]));
		this.isFixed = this.inUse(false).every((name) => isFixed(this.written[name]));
	}

	static of<O extends Options>(
		context: IExecuteFunctions,
		options: O,
		readField: ReadField = createFieldReader(context),
	): OptionReader<O> {
		const { parameters } = context.getNode();
		const items = context.getInputData().length;
		return new OptionReader(options, readField, { parameters, items });
	}

	/** The values that apply to the whole run. Cached: it can take a pass over all items. */
	ofRun(): RunValuesOf<O> {
		const read = () => {
			const names = this.inUse(true);
			const values = { ...this.absent, ...this.pick(names, 0) };
			for (const name of names) this.requireSame(name);
			return values;
		};
		this.run ??= attempt(read);
		if ('error' in this.run) throw this.run.error;
		return this.run.value as RunValuesOf<O>;
	}

	/** The values for an item, including those of the run. Each expression is evaluated once. */
	read(item: number): ValuesOf<O> {
		const key = this.isFixed ? 0 : item;
		this.known[key] ??= { ...this.ofRun(), ...this.pick(this.inUse(false), item) };
		return this.known[key] as ValuesOf<O>;
	}

	/** The fields of the request of an item that options fill (`sentAs`). */
	readRequest(item: number): OptionalFields {
		const values: Raw = this.read(item);
		const fields = Object.entries(this.options).flatMap(([name, { sentAs, companion }]) => {
			const value = values[name];
			const isOff = companion !== undefined && !values[companion];
			const isSent = sentAs !== undefined && value !== undefined && value !== false && !isOff;
			return isSent ? [[sentAs, value === true ? 1 : value] as const] : [];
		});
		return Object.fromEntries(fields) as OptionalFields;
	}

	private inUse(isOfRun: boolean): string[] {
		return Object.keys(this.written).filter(
			(name) => (this.options[name].isOfRun ?? false) === isOfRun,
		);
	}

	private pick(names: string[], item: number): Raw {
		return Object.fromEntries(names.map((name) => [name, this.readOne(name, item)]));
	}

	private readOne(name: string, item: number): unknown {
		const { read, whenAbsent, collection } = this.options[name];
		const value = this.evaluate(name, item);
		// An AI model cannot leave out a filter that it fills in.
		const isOfModel = String(this.written[name]).includes('$fromAI');
		const isLeftOut = collection === 'filters' && isOfModel && isEmptyValue(value);
		return isLeftOut ? whenAbsent : read(value);
	}

	private evaluate(name: string, item: number): unknown {
		const { collection = 'options', property } = this.options[name];
		const path = collection === null ? property.name : `${collection}.${property.name}`;
		const result = attempt(() => this.readField(path, item));
		if ('error' in result) throw nameFailedExpression(result.error, property.displayName);
		return result.value;
	}

	private requireSame(name: string): void {
		const raw = this.written[name];
		if (isFixed(raw) || !dependsOnItem.test(JSON.stringify(raw))) return;
		const first = this.evaluate(name, 0);
		for (let item = 1; item < this.place.items; item += 1) {
			const value = this.evaluate(name, item);
			if (value === first || JSON.stringify(value) === JSON.stringify(first)) continue;
			const { displayName } = this.options[name].property;
			throw new InputError(
				name,
				`${displayName} must be the same for all items: it is ${describeValue(first)} for item 1, but ${describeValue(value)} for item ${item + 1}`,
				`${displayName} applies to the whole run: use one value.`,
			);
		}
	}
}
