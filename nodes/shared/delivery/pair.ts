import { comparableText } from '../validation/text';
import { groupBy } from './lookUp';

/** A message that the run is to send, as far as it identifies it. */
export interface Wanted {
	to: string;
	/** An accepted test does not count as the real message. */
	isTest: boolean;
	/** Absent if its item cannot be read any more. */
	text?: string;
	/** The whole message, by which a tool identifies it. */
	content?: unknown;
}

/**
 * Which of the known messages to one number are meant, by place: those with the same text first, then in their
 * order. An expression such as `$now` returns a different text in every attempt.
 */
export function pair(
	wanted: Array<string | undefined>,
	known: Array<string | undefined>,
): number[] {
	const left = new Set(known.keys());
	const byText = groupBy([...left], (n) => comparableText(known[n]));
	const places = wanted.map((text) => {
		const place = text === undefined ? undefined : byText.get(comparableText(text))?.shift();
		if (place !== undefined) left.delete(place);
		return place;
	});
	const rest = [...left];
	let next = known.length;
	return places.map((place) => place ?? rest.shift() ?? next++);
}
