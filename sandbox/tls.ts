import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { isIP, isIPv4 } from 'node:net';
import { createSecureContext } from 'node:tls';

/** PEM. */
export interface Pair {
	cert: string;
	key: string;
}

/* Node signs, but does not write a certificate (RFC 5280); the libraries that do are larger than the sandbox. */
const dayMs = 86_400_000;
const days = 397;

/** ASN.1 in DER: tag, length, content. */
function der(tag: number, ...parts: Uint8Array[]): Buffer {
	const content = Buffer.concat(parts);
	const { length } = content;
	const long = length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
	return Buffer.concat([Buffer.from([tag, ...(length < 0x80 ? [length] : long)]), content]);
}

const hex = (digits: string): Buffer => Buffer.from(digits, 'hex');
const sequence = (...parts: Uint8Array[]): Buffer => der(0x30, ...parts);
const text = (tag: number, content: string): Buffer => der(tag, Buffer.from(content));
const octets = (content: Buffer): Buffer => der(0x04, content);
const yes = hex('0101ff');
/** ecdsa-with-SHA256 */
const algorithm = sequence(hex('06082a8648ce3d040302'));
const writeName = (commonName: string): Buffer =>
	sequence(der(0x31, sequence(hex('0603550403'), text(0x0c, commonName))));
/** UTCTime, up to 2049. */
const writeTime = (ms: number): Buffer =>
	text(0x17, `${new Date(ms).toISOString().replace(/\D/g, '').slice(2, 14)}Z`);
/** @param id last number of 2.5.29.x */
const extend = (id: number, value: Buffer, critical: Uint8Array = Buffer.of()): Buffer =>
	sequence(Buffer.of(0x06, 3, 0x55, 0x1d, id), critical, octets(value));

function writeAddress(address: string): Buffer {
	if (isIPv4(address)) return der(0x87, Buffer.from(address.split('.').map(Number)));
	const { hostname } = new URL(`http://[${address.replace(/%.*$/, '')}]`);
	const halves = hostname.slice(1, -1).split('::');
	const [start = [], end = []] = halves.map((half) => half.split(':').filter(Boolean));
	const zeros = Array<string>(8 - start.length - end.length).fill('0');
	return der(0x87, hex([...start, ...zeros, ...end].map((one) => one.padStart(4, '0')).join('')));
}

function createParty(name: string) {
	const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
	const spki = publicKey.export({ type: 'spki', format: 'der' });
	const id = createHash('sha256').update(spki).digest().subarray(0, 20);
	return { name: writeName(name), spki, id, privateKey };
}

type Party = ReturnType<typeof createParty>;

/** @returns PEM */
function certify(subject: Party, issuer: Party, extensions: Buffer[]): string {
	const now = Date.now();
	const content = sequence(
		hex('a003020102'), // version 3
		der(0x02, Buffer.of(1), randomBytes(15)), // a positive serial number
		...[algorithm, issuer.name],
		sequence(writeTime(now - dayMs), writeTime(now + days * dayMs)),
		...[subject.name, subject.spki, der(0xa3, sequence(...extensions))],
	);
	const signature = der(0x03, Buffer.of(0), sign('sha256', content, issuer.privateKey));
	const base64 = sequence(content, algorithm, signature).toString('base64');
	const lines = base64.replace(/.{64}/g, '$&\n').trimEnd();
	return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
}

/** Creates a certificate for these names, signed by a new authority; the authority's key is not kept. */
export function createCertificate(names: string[]): Pair & { authority: string } {
	const issuer = createParty(`Messaging service sandbox ${randomBytes(4).toString('hex')}`);
	const server = createParty('localhost');
	const authority = certify(issuer, issuer, [
		...[extend(19, sequence(yes), yes), extend(15, hex('03020106'), yes)], // signs certificates
		extend(14, octets(issuer.id)),
	]);
	const altNames = [...new Set(names)].map((one) =>
		isIP(one) ? writeAddress(one) : text(0x82, one),
	);
	const cert = certify(server, issuer, [
		...[extend(19, sequence(), yes), extend(15, hex('03020780'), yes)], // signs handshakes
		extend(37, sequence(hex('06082b06010505070301'))), // as a server
		...[extend(17, sequence(...altNames)), extend(35, sequence(der(0x80, issuer.id)))],
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
