import { declareError, type InputError } from '../input/InputError';
import { doNotSendTo, dryRun, maxMessages, sendWindow } from './limits';
import { type Option, type Options, ofRun } from './option';
import { pathOf } from './reader';
import { scheduledAt, test } from './sendOptions';

/** Options whose loss sends a message at once, to a person, or to too many. */
const watched: Option[] = [dryRun, scheduledAt, test, maxMessages, doNotSendTo, sendWindow];

const misplaced = declareError(
	'<Field> is at <path>, where it has no effect',
	'Set <right> instead. The editor does not show it at <path>: delete this node there, and add a new one.',
);
const notHere = declareError(
	'<Field> is at <path>, but is not an option of this node',
	'Use SMS Send, which has <right>, or remove <path>. The editor does not show it: delete this node there, and add a new one.',
);

/** A hidden field at a path where an option has no effect. It fails the run if it has a value. */
function toCatch(option: Option, collection: 'options' | null, isOwn: boolean): Option {
	const { name, displayName } = option.property;
	const right = pathOf(option);
	const description = isOwn ? `Not here: set ${right}` : 'Not an option of this node';
	const property = { displayName, name, type: 'hidden', default: '', description } as const;
	const path = pathOf({ ...option, collection });
	const fail = (): InputError =>
		(isOwn ? misplaced : notHere)(name, { Field: displayName, path, right });
	return ofRun({
		property,
		whenAbsent: undefined,
		collection,
		read: () => {
			throw fail();
		},
	});
}

/**
 * n8n drops parameters that a node does not declare before the node runs, so a Dry Run among the options would send.
 * What is declared as hidden stays, and fails the run.
 * @param own the options of a node that sends texts
 * @returns these, and the watched ones at each other path
 */
export function catchMisplaced<O extends Options>(own: O): O {
	const ownPaths = new Set(Object.values(own).map(pathOf));
	const catches = watched.flatMap((option) =>
		([null, 'options'] as const)
			.filter((collection) => !ownPaths.has(pathOf({ ...option, collection })))
			.map((collection) => toCatch(option, collection, ownPaths.has(pathOf(option)))),
	);
	return { ...own, ...Object.fromEntries(catches.map((one) => [`misplaced ${pathOf(one)}`, one])) };
}
