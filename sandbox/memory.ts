import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** Of the part of memory that is for what is new: less makes more garbage old, more is room that is lost. */
const mostBytes = 16 * 2 ** 20;
const lookEveryMs = 50;

/** Memory before speed: without this, the garbage of a busy day stays for long, old and young. */
export function spareMemory(): void {
	setFlagsFromString('--heap-growing-percent=20');
	setInterval(limitYoungSpace, lookEveryMs).unref();
}

/** Its size can be chosen only before the program starts, its growth at any time. */
function limitYoungSpace(): void {
	const young = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space');
	const mayGrow = (young?.space_size ?? 0) < mostBytes;
	setFlagsFromString(`--semi-space-growth-factor=${mayGrow ? 2 : 1}`);
}
