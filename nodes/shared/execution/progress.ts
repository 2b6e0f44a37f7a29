import { sleep, type IExecuteFunctions } from 'n8n-workflow';

/** Milliseconds. Tests make them short. */
export const progressTiming = { everyMs: 10_000, napMs: 250 };

/** Under this name the executions list of n8n shows what a stopped run had done. */
export const stoppedKey = 'stopped';

/** The context itself has it in n8n 2 only. */
function readCustomData(context: IExecuteFunctions): IExecuteFunctions['customData'] {
	const { customData } = context.getWorkflowDataProxy(0).$execution as Pick<
		IExecuteFunctions,
		'customData'
	>;
	return customData;
}

/**
 * Tells how far a run is, every ten seconds in the log of n8n and in the console of the browser (n8n shows nothing else of
 * a node that runs), and when it is stopped, in the custom data of the execution, since n8n drops the output.
 * @param describe where the run stands, without numbers, texts or secrets
 * @returns called at the end of the run
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
		for (let toldAt = Date.now(); !hasEnded && !signal?.aborted; ) {
			await sleep(progressTiming.napMs);
			if (hasEnded || Date.now() - toldAt < progressTiming.everyMs) continue;
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
