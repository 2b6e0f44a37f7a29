const { join, relative } = require('node:path');
const Sequencer = require('@jest/test-sequencer').default;

/** Seconds of the tests that take long, most of it waiting: they begin first, the rest goes beside them. */
const seconds = {
	'e2e/editor': 370,
	'e2e/sendAndWait': 215,
	'e2e/communityPackage': 210,
	'e2e/examplesOfCodes': 210,
	'e2e/builderTasks': 185,
	'e2e/secrets': 155,
	'e2e/week/campaign': 150,
	'e2e/week/week': 150,
	'e2e/examplesOfCampaigns': 150,
	'e2e/waitLimits': 135,
	'e2e/examplesOfOperation': 135,
	'e2e/week/visitors': 130,
	'e2e/examplesOfSignIn': 120,
	'e2e/crash': 120,
	'e2e/week/waits': 100,
	'e2e/examplesOfReceipts': 95,
	'e2e/aiTools': 70,
	'e2e/installationPage': 70,
	'e2e/examplesOfSpreadsheets': 70,
	'e2e/sendAndWaitForResponse': 60,
	'e2e/examplesOfHistory': 60,
	'e2e/nodes/otpVerify': 60,
	'e2e/examplesWithoutService': 50,
	'e2e/receipts': 50,
	'e2e/mcpClient': 50,
	'e2e/inFrontOfN8n': 50,
	'simulation/simulation': 45,
	'e2e/bench': 40,
	'e2e/demo': 40,
	'e2e/retryByHand': 40,
	'e2e/examples': 40,
	'unit/sandbox/inbox': 30,
	'workflow/outcomeUnknown': 30,
	'unit/sandbox/package': 25,
	'workflow/retryByHand': 20,
	'workflow/SmsSendAndWait': 20,
	'unit/check/check': 20,
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
