import { describeAsking } from './asking';
import { describeKilling } from './killing';
import { describeReceiving } from './receiving';
import { describeSending } from './sending';
import { missingPrograms } from '../support/queue/services';
import { useQueue } from '../support/queue/useQueue';

const describeIfPossible = missingPrograms.length > 0 ? describe.skip : describe;

/** One n8n for all of it, since five programs take their time to start. Last comes what kills some of them. */
describeIfPossible('n8n in queue mode: main process, two workers, two webhook processors', () => {
	const queue = useQueue();
	describeSending(queue);
	describeReceiving(queue);
	describeAsking(queue);
	describeKilling(queue);
});
