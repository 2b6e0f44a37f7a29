const { setInterval } = globalThis;
const lookEveryMs = Number(process.env.LOOK_EVERY_MS);

/** n8n has no setting for it: a timer that its WaitTracker sets for a minute gets a shorter one. */
globalThis.setInterval = (work, ms, ...args) => {
	const isLook = ms === 60_000 && new Error().stack?.includes('wait-tracker');
	return setInterval(work, isLook ? lookEveryMs : ms, ...args);
};
