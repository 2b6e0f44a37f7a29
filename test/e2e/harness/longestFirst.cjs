const { basename } = require('node:path');
const Sequencer = require('@jest/test-sequencer').default;

/** Seconds of the end-to-end tests that take long, most of it waiting: they begin first, the rest goes beside them. */
const seconds = {
	'chaos.test.ts': 130,
	'secrets.test.ts': 100,
	'sendAndWait.test.ts': 90,
	'otpFlood.test.ts': 90,
	'unclearOutcomes.test.ts': 80,
	'credential.test.ts': 80,
	'editor.test.ts': 70,
	'receiptsConfirmed.test.ts': 60,
	'receiptsOnce.test.ts': 60,
	'bench.test.ts': 50,
};

/** jest goes by the times of its last run, and a machine that has none yet by the sizes of the files. */
module.exports = class LongestFirst extends Sequencer {
	sort(tests) {
		const secondsOf = ({ path, context }) =>
			context.config.displayName?.name === 'e2e' ? (seconds[basename(path)] ?? 0) : 0;
		return super.sort(tests).sort((a, b) => secondsOf(b) - secondsOf(a));
	}
};
