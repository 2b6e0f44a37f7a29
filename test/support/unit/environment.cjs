const { TestEnvironment } = require('jest-environment-node');

let shared;

/** Where jest keeps what it calls for each event: the next file would call it, too. */
const handlers = Symbol.for('EVENT_HANDLERS');

/**
 * One realm for all test files of a worker, in which they share n8n (`kept`): to load it takes two seconds of a
 * processor. Each file loads everything else again.
 */
module.exports = class extends TestEnvironment {
	constructor(...given) {
		if (shared) return shared;
		super(...given);
		shared = this;
	}

	/** Takes away what a file has left. */
	async teardown() {
		this.moduleMocker.restoreAllMocks();
		this.fakeTimers.dispose();
		this.fakeTimersModern.dispose();
		delete this.global[handlers];
	}
};
