import type { Route } from './route';
import { accountRoutes } from './routes/account';
import { clockRoutes } from './routes/clock';
import { faultRoutes } from './routes/faults';
import { readingRoutes } from './routes/lists';
import { messageRoutes } from './routes/messages';
import { watchingRoutes } from './routes/watching';

/** The control API, each path once. */
export const routes: Route[] = [
	...readingRoutes,
	...watchingRoutes,
	...accountRoutes,
	...faultRoutes,
	...messageRoutes,
	...clockRoutes,
];
