/* Preloaded into a sandbox: writes the longest turn of its event loop, and all of them, in milliseconds of the processor, on SIGUSR2. */
const read = () => {
	const { user, system } = process.threadCpuUsage();
	return (user + system) / 1_000;
};
let longestMs = 0;
let last = read();
let begun = last;
const look = () => {
	const now = read();
	longestMs = Math.max(longestMs, now - last);
	last = now;
	setImmediate(look).unref();
};
look();
process.on('SIGUSR2', () => {
	process.stdout.write(
		`Longest turn: ${longestMs.toFixed(1)} of ${(read() - begun).toFixed(1)} ms\n`,
	);
	longestMs = 0;
	begun = read();
});
