/* Lints an OpenAPI document: `node tools/openApi/lint.mjs docs/openapi.yaml` writes its findings as JSON. */
import { createConfig, lint } from '@redocly/openapi-core';

const [file = 'docs/openapi.yaml'] = process.argv.slice(2);
// localhost among the servers is the sandbox itself.
const rules = { 'no-server-example.com': 'off' };
const config = await createConfig({ extends: ['recommended'], rules });
const findings = await lint({ ref: file, config });
const shown = findings.map(({ ruleId, severity, message, location: [place] }) => {
	return { ruleId, severity, message, pointer: place?.pointer };
});
process.stdout.write(`${JSON.stringify(shown, null, '\t')}\n`);
process.exitCode = findings.length > 0 ? 1 : 0;
