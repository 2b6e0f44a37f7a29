import { declareEmpty, declareError } from '../shared/validation/InputError';
import { parseAddress } from '../shared/validation/ipAddress';

/** Addresses with the first `prefix` bits of `address`. */
export interface AddressRange {
	address: bigint;
	prefix: number;
}

const hint = 'Use IP addresses and ranges such as 203.0.113.7, 198.51.100.0/24 or 2001:db8::/32.';
const noEntry = declareEmpty(hint, 'IP Allowlist');
const notAnAddress = declareError('IP Allowlist: <value> is not an IP address or range', hint);

const ipv4Bits = 32;
const ipv6Bits = 128;

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

export function isInRanges(ranges: AddressRange[], text: string): boolean {
	const address = parseAddress(text);
	return address !== null && ranges.some((range) => isInRange(address, range));
}
