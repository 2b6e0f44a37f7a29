import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import { md, pki } from 'node-forge';

interface Certified {
	cert: string;
	key: string;
}

const dayMs = 86_400_000;
const days = 397;
/** New objects per call: node-forge modifies the extensions of each certificate. */
const listAuthority = () => [
	{ name: 'basicConstraints', cA: true, critical: true },
	{ name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
	{ name: 'subjectKeyIdentifier' },
];

/** Creates a certificate for these names, signed by a new authority; the authority's key is not kept. */
export function createCertificate(names: string[]): Certified & { authority: string } {
	const name = `Messaging service sandbox ${randomBytes(4).toString('hex')}`;
	const authority = certify(name, listAuthority());
	const altNames = names.map((one) => (isIP(one) ? { type: 7, ip: one } : { type: 2, value: one }));
	const extensions = [
		{ name: 'basicConstraints', cA: false, critical: true },
		{ name: 'keyUsage', digitalSignature: true, keyEncipherment: true, critical: true },
		{ name: 'extKeyUsage', serverAuth: true },
		{ name: 'subjectAltName', altNames },
		{
			name: 'authorityKeyIdentifier',
			keyIdentifier: pki
				.certificateFromPem(authority.cert)
				.generateSubjectKeyIdentifier()
				.getBytes(),
		},
	];
	return { ...certify('localhost', extensions, authority), authority: authority.cert };
}

/** @param issuer default: self-signed */
function certify(commonName: string, extensions: object[], issuer?: Certified): Certified {
	const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
	const key = privateKey.export({ type: 'pkcs1', format: 'pem' }).toString();
	const own = pki.privateKeyFromPem(key);
	const certificate = pki.createCertificate();
	certificate.publicKey = pki.setRsaPublicKey(own.n, own.e);
	// The first byte keeps the serial number positive: its first bit is the sign.
	certificate.serialNumber = `01${randomBytes(15).toString('hex')}`;
	certificate.validity.notBefore = new Date(Date.now() - dayMs);
	certificate.validity.notAfter = new Date(Date.now() + days * dayMs);
	const subject = [{ name: 'commonName', value: commonName }];
	certificate.setSubject(subject);
	certificate.setIssuer(issuer ? pki.certificateFromPem(issuer.cert).subject.attributes : subject);
	certificate.setExtensions(extensions);
	certificate.sign(pki.privateKeyFromPem(issuer?.key ?? key), md.sha256.create());
	return { key, cert: pki.certificateToPem(certificate) };
}
