import { startSandbox, type Sandbox, type StartOptions } from '../../../sandbox';
import { credentialsOf, type Service } from '../workflow/credentialsOf';
import { connectToSharedN8n, type CredentialReference, type N8nApi } from '../../../tools/harness';

export interface Credentials {
	messagingServiceApi: CredentialReference;
}

export interface ServiceInN8n {
	api: N8nApi;
	sandbox: Sandbox;
	/** A credential in n8n that fits the sandbox. */
	credentials: Credentials;
}

/** Saves a credential for a service in n8n, right or changed into a wrong one. */
export async function createCredentials(
	api: N8nApi,
	service: Service,
	changes: Record<string, string> = {},
): Promise<Credentials> {
	const type = 'messagingServiceApi';
	const data = credentialsOf(service, changes);
	return { [type]: await api.createCredential({ name: 'Service', type, data }) };
}

/**
 * The n8n that all end-to-end tests share, with a sandbox for the tests of a file. The sandbox is emptied
 * before each test; its messages move only when told.
 */
export function useService(options: StartOptions = {}): ServiceInN8n {
	const service = {} as ServiceInN8n;
	beforeAll(async () => {
		// One after the other, so that what has started is known and closed when the next one fails.
		service.sandbox = await startSandbox({ pace: 0, methods: 'usual', ...options });
		service.api = (await connectToSharedN8n()).api;
		service.credentials = await createCredentials(service.api, service.sandbox);
	});
	beforeEach(() => service.sandbox.reset());
	afterAll(async () => await service.sandbox?.close());
	return service;
}
