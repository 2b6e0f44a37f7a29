import { declareEmpty, declareError } from '../shared/validation/InputError';

/** Addresses with the first `prefix` bits of `address`. IPv4 is mapped to IPv6 as ::ffff:0:0/96. */
export interface AddressRange {
	address: bigint;
	prefix: number;
}

const hint = 'Use IP addresses and ranges such as 203.0.113.7, 198.51.100.0/24 or 2001:db8::/32.';
const noEntry = declareEmpty(hint, 'IP Allowlist');
const notAnAddress = declareError('IP Allowlist: <value> is not an IP address or range', hint);

const ipv4Start = 0xffff_0000_0000n;
const ipv4Bits = 32;
const ipv6Bits = 128;

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

function parseAddress(text: string): bigint | null {
	if (text.includes(':')) return parseIpv6(text);
	const address = parseIpv4(text);
	return address === null ? null : ipv4Start + address;
}

function parseRange(entry: string): AddressRange | null {
	const [addressText, prefixText, ...more] = entry.split('/');
	const address = parseAddress(addressText);
	if (address === null || more.length > 0) return null;
	if (prefixText === undefined) return { address, prefix: ipv6Bits };
	const bits = addressText.includes(':') ? ipv6Bits : ipv4Bits;
	if (!/^\d{1,3}$/.test(prefixText) || Number(prefixText) > bits) return null;
	return { address, prefix: ipv6Bits - bits + Number(prefixText) };
}

function isInRange(address: bigint, range: AddressRange): boolean {
	const hostBits = BigInt(ipv6Bits - range.prefix);
	return address >> hostBits === range.address >> hostBits;
}

/** IPv4 and IPv6 addresses and CIDR ranges, separated by commas, spaces or new lines. @throws InputError */
export function parseAllowlist(allowlist: unknown): AddressRange[] {
	const entries = String(allowlist)
		.split(/[\s,;]+/)
		.filter((entry) => entry !== '');
	if (entries.length === 0) throw noEntry('ipAllowlist');
	return entries.map((entry) => {
		const range = parseRange(entry);
		if (range !== null) return range;
		throw notAnAddress('ipAllowlist', { value: entry });
	});
}

/** `::ffff:10.0.0.1` equals 10.0.0.1; the zone of a link-local address (`fe80::1%eth0`) is ignored. */
export function isInRanges(ranges: AddressRange[], text: string): boolean {
	const address = parseAddress(text.trim().replace(/%.*$/, ''));
	return address !== null && ranges.some((range) => isInRange(address, range));
}
