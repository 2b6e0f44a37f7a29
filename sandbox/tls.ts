import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isIP, isIPv4 } from 'node:net';
import { createSecureContext } from 'node:tls';

/*
 * Certificates (RFC 5280). Node can sign, but not write one; the libraries that can are larger than the rest of
 * the sandbox.
 */
const dayMs = 86_400_000;
const days = 397;

/** PEM. */
export interface Pair {
	cert: string;
	key: string;
}

/** ASN.1 in DER: tag, length, content. */
function der(tag: number, ...parts: Uint8Array[]): Buffer {
	const content = Buffer.concat(parts);
	const { length } = content;
	const long = length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
	return Buffer.concat([Buffer.from([tag, ...(length < 0x80 ? [length] : long)]), content]);
}

const tags = { integer: 0x02, bits: 0x03, octets: 0x04, id: 0x06, text: 0x0c, time: 0x17 };
const hex = (digits: string): Buffer => Buffer.from(digits, 'hex');
const sequence = (...parts: Buffer[]): Buffer => der(0x30, ...parts);
const yes = hex('0101ff');
/** ecdsa-with-SHA256 */
const algorithm = sequence(der(tags.id, hex('2a8648ce3d040302')));

function writeName(commonName: string): Buffer {
	const attribute = sequence(der(tags.id, hex('550403')), der(tags.text, Buffer.from(commonName)));
	return sequence(der(0x31, attribute));
}

/** UTCTime: with two digits of the year, up to 2049. */
function writeTime(ms: number): Buffer {
	const digits = new Date(ms).toISOString().replace(/\D/g, '').slice(2, 14);
	return der(tags.time, Buffer.from(`${digits}Z`));
}

/** @param id last number of 2.5.29.x */
function extend(id: number, value: Buffer, isCritical = false): Buffer {
	const critical = isCritical ? [yes] : [];
	return sequence(der(tags.id, Buffer.of(0x55, 0x1d, id)), ...critical, der(tags.octets, value));
}

function writeAltName(name: string): Buffer {
	return isIP(name) ? der(0x87, readAddress(name)) : der(0x82, Buffer.from(name));
}

function readAddress(address: string): Buffer {
	if (isIPv4(address)) return Buffer.from(address.split('.').map(Number));
	const { hostname } = new URL(`http://[${address.replace(/%.*$/, '')}]`);
	const [start = [], end = []] = hostname
		.slice(1, -1)
		.split('::')
		.map((half) => half.split(':').filter(Boolean));
	const zeros = Array<string>(8 - start.length - end.length).fill('0');
	return hex([...start, ...zeros, ...end].map((group) => group.padStart(4, '0')).join(''));
}

interface Party {
	name: string;
	publicKey: Buffer;
	privateKey: KeyObject;
}

function createParty(name: string): Party {
	const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
	return { name, publicKey: publicKey.export({ type: 'spki', format: 'der' }), privateKey };
}

const identify = ({ publicKey }: Party): Buffer =>
	createHash('sha256').update(publicKey).digest().subarray(0, 20);

/** @returns PEM */
function certify(subject: Party, issuer: Party, extensions: Buffer[]): string {
	const now = Date.now();
	// The first byte keeps the serial number positive: its first bit is the sign.
	const serial = Buffer.concat([Buffer.of(1), randomBytes(15)]);
	const content = sequence(
		...[der(0xa0, der(tags.integer, Buffer.of(2))), der(tags.integer, serial), algorithm],
		writeName(issuer.name),
		sequence(writeTime(now - dayMs), writeTime(now + days * dayMs)),
		...[writeName(subject.name), subject.publicKey, der(0xa3, sequence(...extensions))],
	);
	const signature = der(tags.bits, Buffer.of(0), sign('sha256', content, issuer.privateKey));
	const base64 = sequence(content, algorithm, signature).toString('base64');
	const lines = base64.replace(/.{64}/g, '$&\n').trimEnd();
	return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
}

/** Creates a certificate for these names, signed by a new authority; the authority's key is not kept. */
export function createCertificate(names: string[]): Pair & { authority: string } {
	const issuer = createParty(`Messaging service sandbox ${randomBytes(4).toString('hex')}`);
	const server = createParty('localhost');
	const authority = certify(issuer, issuer, [
		...[extend(19, sequence(yes), true), extend(15, hex('03020106'), true)], // signs certificates
		extend(14, der(tags.octets, identify(issuer))),
	]);
	const cert = certify(server, issuer, [
		...[extend(19, sequence(), true), extend(15, hex('03020780'), true)], // signs handshakes
		extend(37, sequence(der(tags.id, hex('2b06010505070301')))), // as a server
		extend(17, sequence(...[...new Set(names)].map(writeAltName))),
		extend(35, sequence(der(0x80, identify(issuer)))),
	]);
	const key = server.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
	return { cert, key, authority };
}

/** @throws Error when they cannot be used */
export function readPair(pair: Pair): Pair {
	try {
		createSecureContext(pair);
		return pair;
	} catch (error) {
		throw new Error(`The certificate and key cannot be used: ${(error as Error).message}.`);
	}
}
