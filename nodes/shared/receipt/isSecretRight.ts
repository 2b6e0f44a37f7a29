import { createHash, timingSafeEqual } from 'node:crypto';

function hash(text: string): Buffer {
	return createHash('sha256').update(text).digest();
}

/** Compares in constant time: hashes have the same length whatever was given. */
export function isSecretRight(expected: string, given: unknown): boolean {
	return typeof given === 'string' && timingSafeEqual(hash(expected), hash(given));
}
