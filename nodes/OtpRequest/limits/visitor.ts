import { isPrivateAddress, parseAddress } from '../../shared/input/network';
import { requireText } from '../../shared/input/text';

export interface Visitor {
	/** One IPv4 address, a /64 of IPv6, which one connection has to itself, or the text of a session. */
	key: string;
	/** A private address is that of a proxy, so it would make all visitors one. */
	isPrivate: boolean;
}

/** @throws InputError */
export function readVisitor(value: unknown): Visitor {
	const text = requireText(value, 'visitor', 1000).trim();
	const address = parseAddress(text);
	if (address === null) return { key: text, isPrivate: false };
	const isIpv4 = address >> 32n === 0xffffn;
	const key = isIpv4 ? String(address) : `${address >> 64n}/64`;
	return { key, isPrivate: isPrivateAddress(address) };
}
