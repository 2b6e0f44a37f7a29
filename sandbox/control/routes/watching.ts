import { type Route, route } from '../route';

/** How the sandbox itself does. */
export const watchingRoutes: Route[] = [
	route({
		method: 'GET',
		path: '/stats',
		about: 'Requests and peak in flight, in all and by path.',
		answers: 'The counts.',
		schema: 'Stats',
		run: (controls) => controls.stats(),
	}),
	route({
		method: 'GET',
		path: '/receipts/queue',
		about: 'How receipts keep up: under way, waiting, dropped, and how late they are.',
		answers: 'The counts.',
		schema: 'ReceiptQueue',
		run: (controls) => controls.receiptQueue(),
	}),
	route({
		method: 'GET',
		path: '/process',
		about: 'Memory and processor time of the process that the sandbox runs in.',
		answers: '`{"memoryMb": 80, "processorSeconds": 1.5}`',
		schema: 'Process',
		run: (controls) => controls.process(),
	}),
];
