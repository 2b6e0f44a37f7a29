const { readFileSync } = require('node:fs');
const { TestEnvironment } = require('jest-environment-node');

const lines = 12;
/** What `describeRun` of the harness keeps of the last execution that failed. */
const lastFailure = Symbol.for('e2e.lastFailure');

/** What n8n logs because tests create and delete workflows all the time. */
const noise =
	/unknown webhook|^404 The requested webhook|still being unpublished|^Dropped insights|^\s+at |^\s*$/;

/** The end of the log of the n8n that this test shares with others. */
function readLogTail() {
	try {
		const all = [JSON.parse(process.env.E2E_SHARED_N8N)].flat();
		const { logFile } = all[Number(process.env.JEST_WORKER_ID) % all.length];
		const tail = readFileSync(logFile, 'utf8')
			.split('\n')
			.filter((line) => !noise.test(line))
			.slice(-lines)
			.join('\n');
		return `\n\nThe end of n8n's log (${logFile}):\n${tail}\n`;
	} catch {
		return '';
	}
}

/** Adds to the message of a failed test what happened in n8n: the error of the last execution, and the log. */
module.exports = class extends TestEnvironment {
	handleTestEvent(event) {
		if (event.name === 'test_start') this.global[lastFailure] = undefined;
		if (event.name !== 'test_fn_failure' && event.name !== 'hook_failure') return;
		const { error } = event;
		if (typeof error?.stack !== 'string') return;
		const failure = this.global[lastFailure];
		const added = `${failure ? `\n\n${failure}` : ''}${readLogTail()}`;
		error.stack = error.stack.replace(error.message, () => error.message + added);
	}
};
