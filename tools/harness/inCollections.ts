import type { IDataObject } from 'n8n-workflow';

/** Parameters of a sending node: Dry Run beside To, each other value among the options. */
export function inCollections(values: object): IDataObject {
	const { dryRun, ...options } = values as IDataObject;
	return dryRun === undefined ? { options } : { dryRun, options };
}
