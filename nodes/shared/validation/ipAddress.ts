const ipv4Start = 0xffff_0000_0000n;
function parseIpv4(text: string): bigint | null {
	const bytes = text.split('.');
	if (bytes.length !== 4 || !bytes.every((byte) => /^(0|[1-9]\d{0,2})$/.test(byte))) return null;
	if (bytes.some((byte) => Number(byte) > 255)) return null;
	return bytes.reduce((address, byte) => address * 256n + BigInt(byte), 0n);
}

/** `URL` validates the address and normalizes it to groups and `::`. */
function parseIpv6(text: string): bigint | null {
	const address = `http://[${text}]`;
	if (!/^[\da-f:.]+$/i.test(text) || !URL.canParse(address)) return null;
	const halves = new URL(address).hostname.slice(1, -1).split('::');
	const [front, back = []] = halves.map((half) => half.split(':').filter(Boolean));
	const missing = Array<string>(8 - front.length - back.length).fill('0');
	const groups = [...front, ...missing, ...back];
	return groups.reduce((bits, group) => bits * 65_536n + BigInt(`0x${group}`), 0n);
}

/**
 * An IP address as IPv6, with IPv4 mapped to ::ffff:0:0/96, so that `::ffff:10.0.0.1` equals 10.0.0.1. The zone of a
 * link-local address (`fe80::1%eth0`) is ignored. Null if it is not an address.
 */
export function parseAddress(text: string): bigint | null {
	const plain = text.trim().replace(/%.*$/, '');
	if (plain.includes(':')) return parseIpv6(plain);
	const address = parseIpv4(plain);
	return address === null ? null : ipv4Start + address;
}
