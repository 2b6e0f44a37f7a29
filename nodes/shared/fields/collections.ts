import type { INodeParameters, INodeProperties } from 'n8n-workflow';

import { declareError, type InputError } from '../validation/InputError';
import { collectionNames, type CollectionName, type Option, type Options } from './option';
import * as safeguards from './safeguards';
import * as sendOptions from './sendOptions';

/** The collections of a node, and the options that n8n must not drop unseen at a path where they have no effect. */

const isOption = (declared: object): declared is Option => 'property' in declared;

/** What a builder may expect of every node that sends. SMS Send has all of them. */
export const sendingOptions: Options = Object.fromEntries(
	Object.values({ ...safeguards, ...sendOptions })
		.filter(isOption)
		.map((option) => [option.property.name, option]),
);

export const placeOf = ({ collection = 'options' }: Option) => collection;
const isAt = (place: CollectionName | null, options: Options, name: string) =>
	name in options && placeOf(options[name]) === place;
const toPath = (place: CollectionName | null, name: string) =>
	place === null ? name : `${place}.${name}`;

/** Where n8n finds the parameter of an option. */
export const pathOf = (option: Option) => toPath(placeOf(option), option.property.name);

/** The parameters at a place, as written. n8n reads a collection that is a single expression as empty. */
export const fieldsAt = (place: CollectionName | null, parameters: INodeParameters) =>
	(place === null ? parameters : (parameters[place] ?? {})) as Record<string, unknown>;

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

/** Outside of collections, n8n fills in the default. */
const unset = '';

/**
 * n8n drops parameters that a node does not declare before the node runs, so a Dry Run in the wrong collection would
 * send. Declared as hidden, an option stays at each path where it does not belong, and `findMisplaced` finds it there.
 */
function toDecoys(place: CollectionName | null, own: Options, others: Options): INodeProperties[] {
	return Object.entries({ ...others, ...own })
		.filter(([name]) => !isAt(place, own, name))
		.map(([name, option]) => ({
			displayName: option.property.displayName,
			name,
			type: 'hidden',
			default: unset,
			description: name in own ? `Not here: set ${pathOf(option)}` : 'Not an option of this node',
		}));
}

/** Safeguards in the order of their use, all else by its label. */
function compare(a: INodeProperties, b: INodeProperties): number {
	const [first, second] = [a, b].map(({ name }) => safeguards.orderOfSafeguards.indexOf(name));
	return first - second || (a.displayName < b.displayName ? -1 : 1);
}

/**
 * n8n's collections Filters, Options and Safeguards, without empty ones.
 * @param others options of other nodes that fail this one
 */
export function toCollections(options: Options, others: Options = {}): INodeProperties[] {
	const collections = collectionNames.flatMap((name): INodeProperties[] => {
		const own = Object.values(options).filter((option) => placeOf(option) === name);
		if (own.length === 0) return [];
		return [
			{
				displayName: `${name[0].toUpperCase()}${name.slice(1)}`,
				name,
				type: 'collection',
				placeholder: `Add ${name.slice(0, -1)}`,
				default: {},
				// The editor shows a collection of one option as a button, which a second one would turn into a list.
				options: [
					...own.map(withAbsence).sort(compare),
					...(own.length > 1 ? toDecoys(name, options, others) : []),
				],
			},
		];
	});
	return [...collections, ...toDecoys(null, options, others)];
}

const misplaced = declareError(
	'<Field> is at <path>, where it has no effect',
	'Set <right> instead. The editor does not show it at <path>: delete this node there, and add a new one.',
);
const notHere = declareError(
	'<Field> is at <path>, but is not an option of this node',
	'Use SMS Send, which has <right>, or remove <path>. The editor does not show it: delete this node there, and add a new one.',
);

/** An option at a path where it has no effect. @param own all options of the node */
export function findMisplaced(parameters: INodeParameters, own: Options): InputError | undefined {
	const known = { ...sendingOptions, ...own };
	const places = new Set([null, ...Object.values(own).map(placeOf)]);
	for (const place of places) {
		const fields = fieldsAt(place, parameters);
		if (typeof fields !== 'object') continue;
		const [name] =
			Object.entries(fields).find(
				([key, value]) => key in known && !isAt(place, own, key) && value !== unset,
			) ?? [];
		if (name === undefined) continue;
		const path = toPath(place, name);
		const { displayName: Field } = known[name].property;
		const values = { Field, path, right: pathOf(known[name]) };
		return name in own ? misplaced(name, values) : notHere(name, values);
	}
	return undefined;
}
