import type { INodeProperties } from 'n8n-workflow';

import { collectionNames, type Option, type Options } from './option';

/** Where n8n finds the parameter of an option. */
export function pathOf({ collection = 'options', property: { name } }: Option): string {
	return collection === null ? name : `${collection}.${name}`;
}

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

/** n8n's collections Filters and Options, without empty ones, in the order of the options; then what the node hides. */
export function toCollections(options: Options): INodeProperties[] {
	const all = Object.values(options);
	const collections = collectionNames.flatMap((name): INodeProperties[] => {
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
	const hidden = all.filter(
		({ collection, property }) => collection === null && property.type === 'hidden',
	);
	return [...collections, ...hidden.map(({ property }) => property)];
}
