module.exports =
	globalThis.n8nWorkflow ??= require('../../../../node_modules/n8n-workflow/dist/cjs/index.js');
