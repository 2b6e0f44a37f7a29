import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import { md, pki } from 'node-forge';

const dayMs = 86_400_000;
const days = 397;

/** Creates a certificate for these names, signed by a new authority; the authority's key is not kept. */
export function createCertificate(names: string[]) {
	const authority = certify(`Messaging service sandbox ${randomBytes(4).toString('hex')}`, [
		{ name: 'basicConstraints', cA: true, critical: true },
		{ name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
		{ name: 'subjectKeyIdentifier' },
	]);
	const altNames = [...new Set(names)].map((one) =>
		isIP(one) ? { type: 7, ip: one } : { type: 2, value: one },
	);
	const keyIdentifier = authority.certificate.generateSubjectKeyIdentifier().getBytes();
	const extensions = [
		{ name: 'basicConstraints', cA: false, critical: true },
		{ name: 'keyUsage', digitalSignature: true, keyEncipherment: true, critical: true },
		{ name: 'extKeyUsage', serverAuth: true },
		{ name: 'subjectAltName', altNames },
		{ name: 'authorityKeyIdentifier', keyIdentifier },
	];
	const { cert, key } = certify('localhost', extensions, authority);
	return { cert, key, authority: authority.cert };
}

/** @param issuer default: self-signed */
function certify(
	commonName: string,
	extensions: object[],
	issuer?: { certificate: pki.Certificate; key: string },
) {
	const pair = generateKeyPairSync('rsa', { modulusLength: 2048 });
	const key = pair.privateKey.export({ type: 'pkcs1', format: 'pem' }).toString();
	const certificate = pki.createCertificate();
	const publicKey = pair.publicKey.export({ type: 'spki', format: 'pem' }).toString();
	certificate.publicKey = pki.publicKeyFromPem(publicKey);
	// The first byte keeps the serial number positive: its first bit is the sign.
	certificate.serialNumber = `01${randomBytes(15).toString('hex')}`;
	certificate.validity.notBefore = new Date(Date.now() - dayMs);
	certificate.validity.notAfter = new Date(Date.now() + days * dayMs);
	certificate.setSubject([{ name: 'commonName', value: commonName }]);
	certificate.setIssuer((issuer?.certificate ?? certificate).subject.attributes);
	certificate.setExtensions(extensions);
	certificate.sign(pki.privateKeyFromPem(issuer?.key ?? key), md.sha256.create());
	return { certificate, key, cert: pki.certificateToPem(certificate) };
}
