import type { IDataObject } from 'n8n-workflow';

const safeguards = [
	'allowedCountryCodes',
	'doNotSendTo',
	'dryRun',
	'lookBackHours',
	'maxMessages',
	'maxParts',
	'pricePerPart',
	'refuseEmptyFields',
	'sendWindow',
	'skipDuplicates',
	'skipIfAlreadySent',
	'whenOutcomeUnknown',
];

/** Parameters of a sending node: each value in the collection that it is in, Options or Safeguards. */
export function inCollections(values: object) {
	const parameters = { options: {} as IDataObject, safeguards: {} as IDataObject };
	for (const [name, value] of Object.entries(values)) {
		const collection = safeguards.includes(name) ? 'safeguards' : 'options';
		parameters[collection][name] = value;
	}
	return parameters;
}
