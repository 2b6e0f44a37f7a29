const modules = '../../../../node_modules';

/** With what a logger of n8n requires when it is made: the file that has loaded n8n may be over by then. */
function load() {
	process.env.N8N_LOG_LEVEL ??= 'silent';
	const Logger = require(`${modules}/winston/lib/winston/logger.js`);
	Logger.prototype.format = require(`${modules}/logform/json`)();
	return require(`${modules}/n8n-core/dist/index.js`);
}

module.exports = globalThis.n8nCore ??= load();
