import type { IDataObject } from 'n8n-workflow';

/** Parameters of a sending node: Dry Run and Output beside To, each other value among the options. */
export function inCollections(values: object): IDataObject {
	const { dryRun, output, ...options } = values as IDataObject;
	return {
		...(dryRun !== undefined && { dryRun }),
		...(output !== undefined && { output }),
		options,
	};
}
