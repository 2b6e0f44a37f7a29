/**
 * Sends what its items say with n8n's HTTP helper, in the way that every node with this credential has to, and does
 * nothing else: what n8n itself takes of the time of SMS Send.
 */
class HttpHelper {
	description = {
		displayName: 'HTTP Helper',
		name: 'httpHelper',
		group: ['output'],
		version: 1,
		description: 'For the bench alone',
		defaults: { name: 'HTTP Helper' },
		inputs: ['main'],
		outputs: ['main'],
		credentials: [{ name: 'messagingServiceApi', required: true }],
		properties: [
			{ displayName: 'Parallel Requests', name: 'parallelRequests', type: 'number', default: 1 },
		],
	};

	async execute() {
		const type = 'messagingServiceApi';
		const data = await this.getCredentials(type);
		const credentialsDecrypted = { id: '', name: '', type, data: { ...data } };
		const items = this.getInputData();
		const sent = [];
		const send = async (index) => {
			const { to, message, from } = items[index].json;
			const request = {
				method: 'POST',
				url: `${data.baseUrl}/rest/send`,
				headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
				body: JSON.stringify({ to, message, from }),
				timeout: 30_000,
				returnFullResponse: true,
				ignoreHttpStatusErrors: true,
				disableFollowRedirect: true,
			};
			const http = this.helpers.httpRequestWithAuthentication;
			const { body } = await http.call(this, type, request, { credentialsDecrypted });
			sent[index] = { json: body, pairedItem: { item: index } };
		};
		let next = 0;
		const sendInTurn = async () => {
			while (next < items.length) await send(next++);
		};
		const parallel = this.getNodeParameter('parallelRequests', 0);
		await Promise.all(Array.from({ length: parallel }, sendInTurn));
		return [sent];
	}
}

module.exports = { HttpHelper };
