import { parseAddress } from '../shared/validation/ipAddress';
import { requireText } from '../shared/validation/text';

export interface Visitor {
	/** One IPv4 address, a /64 of IPv6, which one connection has to itself, or the text of a session. */
	visitor: string;
	/** A /16 of IPv4, a /32 of IPv6, or the session. */
	network: string;
}

/** @throws InputError */
export function readVisitor(value: unknown): Visitor {
	const text = requireText(value, 'visitor', 'Visitor', 1000).trim();
	const address = parseAddress(text);
	if (address === null) return { visitor: text, network: text };
	const isIpv4 = address >> 32n === 0xffffn;
	const first = (bits: number) => `${address >> BigInt(128 - bits)}/${bits}`;
	return isIpv4
		? { visitor: first(128), network: first(112) }
		: { visitor: first(64), network: first(32) };
}
