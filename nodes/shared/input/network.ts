/**
 * An IP address as IPv6, with IPv4 mapped to ::ffff:0:0/96, so that `::ffff:10.0.0.1` equals 10.0.0.1. The zone of a
 * link-local address (`fe80::1%eth0`) is ignored. Null if it is not an address.
 */
export function parseAddress(text: string): bigint | null {
	const plain = text.trim().replace(/%.*$/, '');
	const isIpv4 = /^\d+(?:\.\d+){3}$/.test(plain);
	// `URL` validates the address and normalizes it to groups and `::`.
	const address = `http://[${isIpv4 ? `::ffff:${plain}` : plain}]`;
	if (!/^[\da-f:.]+$/i.test(plain) || !URL.canParse(address)) return null;
	const halves = new URL(address).hostname.slice(1, -1).split('::');
	const [front, back = []] = halves.map((half) => half.split(':').filter(Boolean));
	const missing = Array<string>(8 - front.length - back.length).fill('0');
	const groups = [...front, ...missing, ...back];
	return groups.reduce((bits, group) => bits * 65_536n + BigInt(`0x${group}`), 0n);
}

/** Loopback, private, link-local and shared (RFC 6598) addresses, which no visitor from the internet has. */
const privateNetworks = [
	...['10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
	...['192.168.0.0/16', '::1/128', 'fc00::/7', 'fe80::/10'],
].map((network) => {
	const [start, length] = network.split('/');
	const hostBits = BigInt((start.includes(':') ? 128 : 32) - Number(length));
	return { hostBits, prefix: (parseAddress(start) ?? 0n) >> hostBits };
});

/** @param address as `parseAddress` reads it */
export function isPrivateAddress(address: bigint): boolean {
	return privateNetworks.some(({ hostBits, prefix }) => address >> hostBits === prefix);
}
