/**
 * Puts the clock of the nodes forward, until the end of the test. The header Date of a service does not follow, so it
 * is of use only where no times of history are looked at.
 */
export function passTime(ms: number): void {
	const now = Date.now.bind(Date);
	jest.spyOn(Date, 'now').mockImplementation(() => now() + ms);
}

export const minute = 60_000;
