const { join, relative } = require('node:path');
const Sequencer = require('@jest/test-sequencer').default;

/** Seconds of the tests that take long, most of it waiting: they begin first, the rest goes beside them. */
const seconds = {
	'e2e/week/byHand': 180,
	'e2e/editor': 170,
	'e2e/week/campaign': 150,
	'e2e/week/week': 150,
	'e2e/communityPackage': 150,
	'e2e/week/forms': 130,
	'e2e/week/visitors': 130,
	'e2e/waitLimits': 130,
	'e2e/examplesOfCodes': 120,
	'e2e/secrets': 120,
	'e2e/examplesOfHistory': 120,
	'e2e/examplesOfQuestions': 115,
	'e2e/reviewsBySms': 115,
	'e2e/examplesOfOperation': 110,
	'e2e/examplesTenTimes': 110,
	'e2e/sendAndWait': 110,
	'e2e/nodes/credential': 110,
	'e2e/smsPumping': 60,
	'e2e/week/waits': 100,
	'e2e/sendAndWaitForResponse': 90,
	'e2e/nodes/otpVerify': 80,
	'e2e/crash': 80,
	'e2e/examplesOfReceipts': 80,
	'e2e/examplesOfCampaigns': 70,
	'e2e/outcomeUnknown': 65,
	'e2e/demo': 60,
	'e2e/examplesOfOptOuts': 60,
	'e2e/examplesWithoutService': 60,
	'e2e/demoInEditor': 50,
	'simulation/simulation': 45,
	'unit/sandbox/inbox': 30,
	'workflow/outcomeUnknown': 30,
	'unit/sandbox/package': 25,
	'workflow/retryByHand': 20,
	'workflow/SmsSendAndWait': 20,
	'unit/check/check': 20,
	'unit/sandbox/tls': 15,
	'unit/verification': 15,
};

const folder = join(__dirname, '..');
const nameOf = (path) =>
	relative(folder, path)
		.replaceAll('\\', '/')
		.replace(/\.test\.ts$/, '');

/** jest goes by the times of its last run, and a machine that has none yet by the sizes of the files. */
module.exports = class LongestFirst extends Sequencer {
	sort(tests) {
		const secondsOf = ({ path }) => seconds[nameOf(path)] ?? 0;
		return super.sort(tests).sort((a, b) => secondsOf(b) - secondsOf(a));
	}
};
