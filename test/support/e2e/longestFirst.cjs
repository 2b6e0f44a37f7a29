const { basename } = require('node:path');
const Sequencer = require('@jest/test-sequencer').default;

/** Seconds of the end-to-end tests that take long, most of it waiting: they begin first, the rest goes beside them. */
const seconds = {
	'examplesOfCampaigns.test.ts': 200,
	'crash.test.ts': 130,
	'secrets.test.ts': 100,
	'smsPumping.test.ts': 100,
	'sendAndWait.test.ts': 90,
	'communityPackage.test.ts': 90,
	'examplesWithoutService.test.ts': 90,
	'outcomeUnknown.test.ts': 80,
	'credential.test.ts': 80,
	'otpVerify.test.ts': 70,
	'editor.test.ts': 70,
	'examplesTenTimes.test.ts': 70,
	'examplesOfReceipts.test.ts': 65,
	'receiptsConfirmed.test.ts': 60,
	'receiptsOnce.test.ts': 50,
	'bench.test.ts': 50,
	'aiTools.test.ts': 45,
};

/** jest goes by the times of its last run, and a machine that has none yet by the sizes of the files. */
module.exports = class LongestFirst extends Sequencer {
	sort(tests) {
		const secondsOf = ({ path, context }) =>
			context.config.displayName?.name === 'e2e' ? (seconds[basename(path)] ?? 0) : 0;
		return super.sort(tests).sort((a, b) => secondsOf(b) - secondsOf(a));
	}
};
