import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import {
	canonicalStatus,
	describeStatus,
	isNotDelivered,
	statusChoices,
	listStatuses,
} from '../../../../nodes/shared/client/status';

describe('describeStatus', () => {
	test.each([
		['Delivered', true, true],
		['Success', true, true],
		['Rejected', false, true],
		['Failed', false, true],
		['Undelivered', false, true],
		['Error', false, true],
		['Expired', false, true],
		['Accepted', null, false],
		['Sent', null, false],
		['Pending', null, false],
		['?', null, false],
		['Teleported', null, false],
		['constructor', null, false],
		['delivered', true, true],
		['DELIVERED ', true, true],
		['DELIVRD', true, true],
		['UNDELIV', false, true],
		['DELETED', false, true],
		['Deli\u200Bvered', true, true],
	])('reads %p as delivered %p, final %p', (status, delivered, final) => {
		expect(describeStatus(status)).toEqual({ delivered, final });
	});
});

describe('canonicalStatus', () => {
	test.each([
		['DELIVERED', 'Delivered'],
		['  delivered\u00A0', 'Delivered'],
		['De\u00ADli\uFE0Fvered\u2060', 'Delivered'],
		['SUCCESS', 'Success'],
		['ENROUTE', 'Sent'],
		['UNKNOWN', '?'],
		['BUFFERED', 'Buffered'],
		['not  Reached', 'Not reached'],
		['constructor', 'Constructor'],
		['\u200B', '\u200B'],
	])('writes %j as %s', (spelling, status) => {
		expect(canonicalStatus(spelling)).toBe(status);
		expect(canonicalStatus(status)).toBe(status);
	});
});

describe('statusChoices', () => {
	test('are all statuses of the service in alphabetical order, with words for the unknown one', () => {
		const names = statusChoices.map(({ name }) => name);
		expect(names).toEqual([...names].sort());
		expect(names).toHaveLength(11);
		expect(statusChoices.at(-1)).toEqual({ name: 'Unknown (?)', value: '?' });
	});
});

test('what is final and did not arrive is not delivered', () => {
	expect(listStatuses(false).every(isNotDelivered)).toBe(true);
	for (const status of ['Accepted', 'Delivered', 'success', '?', 'Unheard', undefined, false])
		expect(isNotDelivered(status)).toBe(false);
});

/** The sandbox and its page are written from the specification, the other pages for people. */
describe('a line that names several statuses of a kind names all that the nodes know', () => {
	const project = join(__dirname, '../../../..');
	const kinds = [listStatuses(true), listStatuses(false)];
	const open = statusChoices
		.map(({ value }) => value)
		.filter((one) => /^\w/.test(one) && !kinds.flat().includes(one));
	const findNamed = (line: string, kind: string[]) =>
		kind.filter((status) => line.match(/[\w?]+/g)?.includes(status));
	const places = ['README.md', 'docs', 'sandbox', 'sandbox/service/messages.ts']
		.flatMap((path) =>
			/\./.test(path) ? path : readdirSync(join(project, path)).map((file) => `${path}/${file}`),
		)
		.filter((file) => /(?<!builders)\.md$|messages\.ts$/.test(file))
		.flatMap((file) => {
			const text = readFileSync(join(project, file), 'utf8').replace(/,\n/g, ', ');
			return text.split('\n').flatMap((line) => {
				const found = [...kinds, open].filter(
					(kind) => findNamed(line, kind).length >= Math.min(3, kind.length),
				);
				return found.map((kind) => [file, line.trim().slice(0, 60), line, kind] as const);
			});
		});

	test.each(places)('%s: %s', (_, __, line, kind) => expect(findNamed(line, kind)).toEqual(kind));

	// A line that nobody compares any more would be missed here.
	test('in all of these places', () => expect(places).toHaveLength(19));
});
