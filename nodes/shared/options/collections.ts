import type { INodeProperties } from 'n8n-workflow';

import { collectionNames, type Option, type Options } from './option';

/** Where n8n finds the parameter of an option. */
export function pathOf({ collection = 'options', property: { name } }: Option): string {
	return collection === null ? name : `${collection}.${name}`;
}

/** In this order, what a first run needs; then all others by their label. */
const first = [
	...['dryRun', 'skipIfAlreadySent', 'lookBackHours', 'skipDuplicates'],
	...['doNotSendTo', 'maxMessages', 'maxParts', 'sendWindow'],
	...['allowedCountryCodes', 'whenOutcomeUnknown'],
].reverse();

function compare(a: INodeProperties, b: INodeProperties): number {
	const byUse = first.indexOf(b.name) - first.indexOf(a.name);
	return byUse || (a.displayName < b.displayName ? -1 : 1);
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

/** n8n's collections Filters and Options, without empty ones. */
export function toCollections(options: Options): INodeProperties[] {
	return collectionNames.flatMap((name): INodeProperties[] => {
		const own = Object.values(options).filter(({ collection = 'options' }) => collection === name);
		if (own.length === 0) return [];
		return [
			{
				displayName: `${name[0].toUpperCase()}${name.slice(1)}`,
				name,
				type: 'collection',
				placeholder: `Add ${name.slice(0, -1)}`,
				default: {},
				options: own.map(withAbsence).sort(compare),
			},
		];
	});
}
