import { connect, createServer } from 'node:net';

const highestPort = 65_535;

/** Binding alone is no proof: some systems let two programs listen, one on all addresses, one on loopback. */
function isAnswering(port, host) {
	return new Promise((resolve) => {
		const socket = connect({ port, host, timeout: 500 });
		const end = (answer) => {
			socket.destroy();
			resolve(answer);
		};
		socket.once('connect', () => end(true));
		socket.once('error', () => end(false));
		socket.once('timeout', () => end(false));
	});
}

/** @returns {Promise<string>} why nobody can listen on this port of 127.0.0.1; empty when one can */
function tryToListen(port) {
	return new Promise((resolve) => {
		const server = createServer();
		server.once('error', (error) => resolve(error.code ?? error.message));
		server.listen(port, '127.0.0.1', () => server.close(() => resolve('')));
	});
}

/** @returns {Promise<string>} what keeps us from using a port, such as `is in use by another program`; empty when nothing does */
async function findObstacle(port) {
	const answers = await Promise.all([isAnswering(port, '127.0.0.1'), isAnswering(port, '::1')]);
	const reason = answers.includes(true) ? 'EADDRINUSE' : await tryToListen(port);
	if (reason === '') return '';
	return reason === 'EADDRINUSE' ? 'is in use by another program' : `cannot be used (${reason})`;
}

async function findUsablePort(from, excluded) {
	for (let port = from; port <= highestPort; port += 1) {
		if (!excluded.includes(port) && (await findObstacle(port)) === '') return port;
	}
	return from;
}

/**
 * @param {Array<{ port: number, option: string, use: string }>} wanted
 * @returns {Promise<string>} sentences for the user when a port cannot be had, with the command that
 *   works; empty when all can
 */
export async function explainTakenPorts(wanted) {
	const sentences = [];
	const command = ['npm start --'];
	const excluded = wanted.map(({ port }) => port);
	for (const { port, option, use } of wanted) {
		const obstacle = await findObstacle(port);
		const usable = obstacle ? await findUsablePort(port, excluded) : port;
		if (obstacle) sentences.push(`Port ${port} (for ${use}) ${obstacle}.`);
		command.push(`${option} ${usable}`);
		excluded.push(usable);
	}
	if (sentences.length === 0) return '';
	return [...sentences, `Choose other ports, for example: ${command.join(' ')}`].join('\n');
}
