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

export interface AddressRange {
	address: bigint;
	prefix: number;
}

const ipv4Bits = 32;
const ipv6Bits = 128;

/** An address, or a range such as 10.0.0.0/8. Null for anything else. */
export function parseRange(entry: string): AddressRange | null {
	const [addressText, prefixText, ...more] = entry.split('/');
	const address = parseAddress(addressText);
	if (address === null || more.length > 0) return null;
	if (prefixText === undefined) return { address, prefix: ipv6Bits };
	const bits = addressText.includes(':') ? ipv6Bits : ipv4Bits;
	if (!/^\d{1,3}$/.test(prefixText) || Number(prefixText) > bits) return null;
	return { address, prefix: ipv6Bits - bits + Number(prefixText) };
}

export function isInRange(address: bigint, range: AddressRange): boolean {
	const hostBits = BigInt(ipv6Bits - range.prefix);
	return address >> hostBits === range.address >> hostBits;
}
