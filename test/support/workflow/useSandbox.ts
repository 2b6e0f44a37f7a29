import { startSandbox, type Sandbox, type StartOptions } from '../../../sandbox';

/** A sandbox for all tests of a file, emptied before each. Takes the nodes' methods only; messages move when told. */
export function useSandbox(options: StartOptions = {}): Sandbox {
	const sandbox = {} as Sandbox;
	beforeAll(
		async () =>
			void Object.assign(sandbox, await startSandbox({ pace: 0, methods: 'usual', ...options })),
	);
	beforeEach(() => sandbox.reset());
	afterAll(async () => await sandbox.close());
	return sandbox;
}
