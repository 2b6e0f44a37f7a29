import { createCipheriv, createDecipheriv, pbkdf2, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';

const deriveBits = promisify(pbkdf2);
const iterations = 10_000;
const saltBytes = 16;
const ivBytes = 12;
const tagBytes = 16;

/** A key for a message sent with `encrypt` but without `encryptKey`: 32 hexadecimal digits. */
export function createEncryptKey(): string {
	return randomBytes(16).toString('hex');
}

/**
 * Returns Base64 of salt, IV, tag and ciphertext (AES-256-GCM under PBKDF2 with SHA-256). The specification names
 * PBKDF2 and the salt; the rest is the sandbox's choice.
 */
export async function encryptMessage(text: string, encryptKey: string): Promise<string> {
	const salt = randomBytes(saltBytes);
	const iv = randomBytes(ivBytes);
	const cipher = createCipheriv('aes-256-gcm', await deriveKey(encryptKey, salt), iv);
	const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
	return Buffer.concat([salt, iv, cipher.getAuthTag(), ciphertext]).toString('base64');
}

/** @throws Error when the key is wrong or the text was not encrypted by the sandbox */
export async function decryptMessage(encrypted: string, encryptKey: string): Promise<string> {
	const bytes = Buffer.from(encrypted, 'base64');
	const salt = bytes.subarray(0, saltBytes);
	const iv = bytes.subarray(saltBytes, saltBytes + ivBytes);
	const ciphertextStart = saltBytes + ivBytes + tagBytes;
	const decipher = createDecipheriv('aes-256-gcm', await deriveKey(encryptKey, salt), iv);
	decipher.setAuthTag(bytes.subarray(saltBytes + ivBytes, ciphertextStart));
	const text = [decipher.update(bytes.subarray(ciphertextStart)), decipher.final()];
	return Buffer.concat(text).toString('utf8');
}

function deriveKey(encryptKey: string, salt: Buffer): Promise<Buffer> {
	return deriveBits(encryptKey, salt, iterations, 32, 'sha256');
}
