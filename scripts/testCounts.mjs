/*
 * How the tests of a step are counted. A skipped test is neither passed nor failed, and a step in which
 * nothing else happened is not "ok".
 */

/**
 * @param {object | undefined} report what jest wrote; undefined when it wrote nothing
 * @param {boolean} hasPassed whether jest ended well; a run that broke down counts as one failure
 */
export function countTests(report, hasPassed) {
	if (!report) return { passed: 0, failed: 1, skipped: 0, details: '' };
	const failed = report.numFailedTests + report.numRuntimeErrorTestSuites;
	const tests = report.testResults.flatMap(({ assertionResults }) => assertionResults);
	return {
		passed: report.numPassedTests,
		failed: hasPassed ? failed : Math.max(failed, 1),
		skipped: report.numPendingTests + report.numTodoTests,
		titles: tests.filter(({ status }) => status === 'pending').map(({ fullName }) => fullName),
		details: report.testResults
			.map(({ message }) => message)
			.filter(Boolean)
			.join('\n'),
	};
}

export function countStep(hasPassed) {
	return { passed: hasPassed ? 1 : 0, failed: hasPassed ? 0 : 1, skipped: 0, details: '' };
}

export function isSkippedWhole({ passed, failed, skipped }) {
	return skipped > 0 && passed + failed === 0;
}

/** Why tests were left out, in their own words: the lines `Skipped: ...` that they print. */
export function readSkipReasons(log) {
	return [...new Set([...log.matchAll(/^\s*Skipped: (.+)$/gm)].map(([, reason]) => reason.trim()))];
}

export function add(total, counts) {
	return {
		passed: total.passed + counts.passed,
		failed: total.failed + counts.failed,
		skipped: total.skipped + counts.skipped,
	};
}

/** The last line of `npm test`. */
export function describeTotal({ passed, failed, skipped }) {
	return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}
