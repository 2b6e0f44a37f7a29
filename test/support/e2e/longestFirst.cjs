const { basename } = require('node:path');
const Sequencer = require('@jest/test-sequencer').default;

/** Seconds of the end-to-end tests that take long, most of it waiting: they begin first, the rest goes beside them. */
const seconds = {
	'editor.test.ts': 170,
	'examplesOfCampaigns.test.ts': 160,
	'campaign.test.ts': 150,
	'communityPackage.test.ts': 150,
	'receiptsConfirmed.test.ts': 130,
	'waitLimits.test.ts': 130,
	'secrets.test.ts': 120,
	'examplesOfHistory.test.ts': 120,
	'examplesOfQuestions.test.ts': 115,
	'reviewsBySms.test.ts': 115,
	'examplesOfOperation.test.ts': 110,
	'examplesTenTimes.test.ts': 110,
	'sendAndWait.test.ts': 110,
	'credential.test.ts': 110,
	'smsPumping.test.ts': 100,
	'visitors.test.ts': 95,
	'sendAndWaitForResponse.test.ts': 90,
	'otpVerify.test.ts': 80,
	'crash.test.ts': 80,
	'examplesOfReceipts.test.ts': 80,
	'week.test.ts': 70,
	'outcomeUnknown.test.ts': 65,
	'demo.test.ts': 60,
	'examplesOfOptOuts.test.ts': 60,
	'examplesWithoutService.test.ts': 60,
	'demoInEditor.test.ts': 50,
};

/** jest goes by the times of its last run, and a machine that has none yet by the sizes of the files. */
module.exports = class LongestFirst extends Sequencer {
	sort(tests) {
		const secondsOf = ({ path, context }) =>
			context.config.displayName?.name === 'e2e' ? (seconds[basename(path)] ?? 0) : 0;
		return super.sort(tests).sort((a, b) => secondsOf(b) - secondsOf(a));
	}
};
