import { number, objectOf } from '../../shape';
import { done, saysDone } from '../done';
import { type Route, route } from '../route';

/** Time, and beginning anew. */
export const clockRoutes: Route[] = [
	route<object, { ms: number }>({
		method: 'POST',
		path: '/advance',
		about: "Moves the sandbox's clock, and waits for what becomes due.",
		body: objectOf({ ms: number() }, ['ms']),
		answers: saysDone,
		schema: 'Done',
		run: async (controls, { body }) => {
			await controls.inTurns.advance(body.ms);
			await controls.settle();
			return done;
		},
	}),
	route({
		method: 'POST',
		path: '/settle',
		about: 'Waits until every receipt has been answered or given up.',
		answers: saysDone,
		schema: 'Done',
		run: async (controls) => {
			await controls.settle();
			return done;
		},
	}),
	route({
		method: 'POST',
		path: '/clear',
		about:
			'Removes messages, codes, mails, requests and receipts; settings, faults and balance stay.',
		answers: saysDone,
		schema: 'Done',
		run: (controls) => {
			controls.clear();
			return done;
		},
	}),
	route({
		method: 'POST',
		path: '/reset',
		about: 'Empties everything, and puts clock, settings and balance back to the start.',
		answers: saysDone,
		schema: 'Done',
		run: (controls) => {
			controls.reset();
			return done;
		},
	}),
];
