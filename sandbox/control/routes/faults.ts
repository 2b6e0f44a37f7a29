import { either, listOf } from '../../shape';
import { type FaultRule, faultRule } from '../faultRule';
import { type Route, route } from '../route';

const path = '/faults';
const faultRules = either<FaultRule | FaultRule[]>(
	'a rule or a list of rules',
	faultRule,
	listOf(faultRule),
);

export const faultRoutes: Route[] = [
	route({
		method: 'GET',
		path,
		about: 'The fault rules, with how often they were seen and hit.',
		answers: 'A list.',
		schema: ['Fault'],
		run: (controls) => controls.faults(),
	}),
	route({
		method: 'POST',
		path,
		about: 'Adds a fault rule, or a list of them.',
		body: faultRules,
		answers: 'The list of rules.',
		schema: ['Fault'],
		status: 201,
		run: (controls, { body }) => {
			for (const rule of [body].flat()) controls.addFault(rule);
			return controls.faults();
		},
	}),
	route({
		method: 'DELETE',
		path,
		about: 'Removes all fault rules.',
		answers: 'An empty list.',
		schema: ['Fault'],
		run: (controls) => {
			controls.clearFaults();
			return controls.faults();
		},
	}),
];
