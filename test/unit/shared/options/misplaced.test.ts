import type { INodeProperties } from 'n8n-workflow';

import { catchMisplaced } from '../../../../nodes/shared/options/misplaced';
import { dryRun, maxMessages } from '../../../../nodes/shared/options/limits';
import { toCollections } from '../../../../nodes/shared/options/reader';

test('what may be misplaced is hidden at each path where the node does not have it', () => {
	const [options, ...ofNode] = toCollections(catchMisplaced({ dryRun, maxMessages }));
	const hiddenIn = (properties: unknown) =>
		(properties as INodeProperties[])
			.filter(({ type }) => type === 'hidden')
			.map(({ name, description }) => [name, description]);
	const others = ['scheduledAt', 'test', 'doNotSendTo', 'sendWindow'].map((name) => [
		name,
		'Not an option of this node',
	]);
	expect(hiddenIn(options.options)).toEqual(
		expect.arrayContaining([['dryRun', 'Not here: set dryRun'], ...others]),
	);
	expect(hiddenIn(options.options)).toHaveLength(5);
	expect(hiddenIn(ofNode)).toEqual(
		expect.arrayContaining([['maxMessages', 'Not here: set options.maxMessages'], ...others]),
	);
	expect(ofNode).toHaveLength(5);
});
