import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { MessagingServiceClient } from '../client/MessagingServiceClient';
import { runAndFinish } from '../n8n/items';
import { requireOneItem } from '../n8n/waiting';
import type { Options, ValuesOf } from '../options/option';
import type { ReadField } from '../options/readParameters';
import { OptionReader } from '../options/reader';
import type { timeout } from '../options/requestOptions';
import { createTextReader } from './readTexts';
import { describeUnsent } from './report';

type Timed = { timeout: typeof timeout };

/** What the node has read before its own fields. */
export interface Opened<O extends Options> {
	/** As the user entered it. */
	to: unknown;
	readField: ReadField;
	reader: OptionReader<O>;
	values: ValuesOf<O>;
	client: MessagingServiceClient;
}

/**
 * Runs a node that sends the message of its one item, and waits.
 * @param work returns the output: at once, or what n8n passes on at the end of the wait
 * @param failedFields further fields of an error item
 */
export async function sendAndWait<O extends Options & Timed>(
	context: IExecuteFunctions,
	options: O,
	work: (opened: Opened<O>) => Promise<IDataObject>,
	failedFields?: IDataObject,
): Promise<INodeExecutionData[][]> {
	const readField = createTextReader(context);
	const reader = OptionReader.of(context, options, readField);
	return await runAndFinish(context, {
		outcomeOf: () => describeUnsent(context, false),
		failedFields,
		work: async (_, report) => {
			requireOneItem(context);
			const to = readField('to', 0);
			report.isFor(to);
			const values = reader.read(0);
			const timed: OptionReader<Timed> = reader;
			const client = await MessagingServiceClient.open(context, {
				parallelRequests: 1,
				timeout: timed.ofRun().timeout,
			});
			report.add(await work({ to, readField, reader, values, client }));
		},
	});
}
