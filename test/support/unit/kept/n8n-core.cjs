module.exports = globalThis.n8nCore ??= require('../../../../node_modules/n8n-core/dist/index.js');
