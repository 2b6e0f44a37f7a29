import { settingChanges } from '../../settings';
import { number, objectOf } from '../../shape';
import { type Route, route } from '../route';

const topUp = objectOf<{ amount: number }>({ amount: number({ min: 0 }) }, ['amount']);

export const accountRoutes: Route[] = [
	route({
		method: 'GET',
		path: '/balance',
		about: 'The balance.',
		answers: 'Balance and currency.',
		schema: 'Balance',
		run: (controls) => controls.balance(),
	}),
	route({
		method: 'POST',
		path: '/balance/top-up',
		about: 'Adds to the balance.',
		body: topUp,
		answers: 'Balance and currency.',
		schema: 'Balance',
		run: (controls, { body }) => {
			controls.topUp(body.amount);
			return controls.balance();
		},
	}),
	route({
		method: 'GET',
		path: '/settings',
		about: 'All settings, without secrets.',
		answers: 'The settings.',
		schema: 'Settings',
		run: (controls) => controls.settings(),
	}),
	route({
		method: 'PUT',
		path: '/settings',
		about: 'Changes settings; what is left out stays.',
		body: settingChanges,
		answers: 'The settings.',
		schema: 'Settings',
		run: (controls, { body }) => {
			controls.configure(body);
			return controls.settings();
		},
	}),
];
