import type * as DeliveryTools from './sending';
import type * as Engine from './runWorkflow';

/**
 * Works with modules of its own, so that the nodes know nothing of what was sent before: as in another process, or
 * after a restart of n8n. Their times are scaled.
 */
export async function inAnotherProcess<T>(work: (engine: typeof Engine) => Promise<T>): Promise<T> {
	const done: T[] = [];
	await jest.isolateModulesAsync(async () => {
		const { startScaledTimes } = jest.requireActual<typeof DeliveryTools>('./sending');
		startScaledTimes();
		done.push(await work(jest.requireActual<typeof Engine>('./runWorkflow')));
	});
	return done[0];
}
