import { sleep, type IExecuteFunctions } from 'n8n-workflow';

/** Milliseconds. Tests shorten them. */
export const progressTiming = { everyMs: 10_000, napMs: 250 };

/** Custom data key under which n8n's executions list shows the progress of a stopped run. */
export const stoppedKey = 'stopped';

/** The context itself has `customData` only in n8n 2. */
function readCustomData(context: IExecuteFunctions): IExecuteFunctions['customData'] {
	const { customData } = context.getWorkflowDataProxy(0).$execution as Pick<
		IExecuteFunctions,
		'customData'
	>;
	return customData;
}

/**
 * Reports progress every ten seconds in n8n's log and the browser's console (n8n shows nothing else of a running
 * node). If the run is stopped, also in the execution's custom data, because n8n drops the output.
 * @param describe the progress so far, without phone numbers, texts or secrets
 * @returns a function to call at the end of the run
 */
export function tellProgress(context: IExecuteFunctions, describe: () => string): () => void {
	const signal = context.getExecutionCancelSignal();
	const { name } = context.getNode();
	const tell = (words: string) => {
		context.logger.info(`${name} (execution ${context.getExecutionId()}): ${words}`);
		context.sendMessageToUI(words);
	};
	// n8n saves a stopped execution right after this.
	const tellOfStop = () => {
		const words = `Stopped. ${describe()}`;
		tell(words);
		readCustomData(context).set(stoppedKey, words);
	};
	let hasEnded = false;
	const tellNowAndThen = async () => {
		const isOver = () => hasEnded || signal?.aborted === true;
		for (let toldAt = Date.now(); !isOver(); ) {
			await sleep(progressTiming.napMs);
			if (isOver() || Date.now() - toldAt < progressTiming.everyMs) continue;
			toldAt = Date.now();
			tell(describe());
		}
	};
	signal?.addEventListener('abort', tellOfStop, { once: true });
	void tellNowAndThen();
	return () => {
		hasEnded = true;
		signal?.removeEventListener('abort', tellOfStop);
	};
}
