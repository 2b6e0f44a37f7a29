import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';

import { nodeBinary } from '../../../scripts/n8n/paths';

interface Manifest {
	name: string;
	version: string;
}

export interface PackageRegistry {
	/** Settings of an n8n whose npm asks this registry. */
	env: Record<string, string>;
	/** The tarballs that were fetched, by the names of their files. */
	fetched: string[];
	publish(tarball: string): Promise<string>;
	close(): Promise<void>;
}

const nameLength = 100;
const sizeOffset = 124;
const blockLength = 512;

/** Of a tar: blocks of a header, and of the file it names. */
function readFromTarball(tarball: Buffer, wanted: string): string {
	const tar = gunzipSync(tarball);
	const textAt = (from: number, length: number) =>
		tar.toString('utf8', from, from + length).replace(/\0.*$/s, '');
	for (let at = 0; at < tar.length && tar[at] !== 0; ) {
		const size = parseInt(textAt(at + sizeOffset, 12), 8);
		const begin = at + blockLength;
		if (textAt(at, nameLength) === wanted) return textAt(begin, size);
		at = begin + Math.ceil(size / blockLength) * blockLength;
	}
	throw new Error(`The tarball has no ${wanted}.`);
}

function answerJson(response: ServerResponse, status: number, body: object): void {
	response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/**
 * An npm whose last word on the registry is ours: n8n names npm's own, and takes another one only with a
 * licence. Everything else is as it is for a user.
 */
function installNpm(folder: string, registry: string): string {
	const npm = join(folder, 'npm');
	const path = [dirname(nodeBinary), process.env.PATH].join(delimiter);
	writeFileSync(npm, `#!/bin/sh\nPATH='${path}' exec npm "$@" '--registry=${registry}'\n`);
	chmodSync(npm, 0o755);
	return [folder, path].join(delimiter);
}

/** A registry on loopback, with the packages that are published to it and nothing else. */
export async function startPackageRegistry(): Promise<PackageRegistry> {
	const published = new Map<string, { manifest: Manifest; content: Buffer }>();
	const fetched: string[] = [];
	const server = createServer(({ url = '' }, response) => {
		const path = decodeURIComponent(url.slice(1));
		const file = published.get(basename(path));
		if (file) {
			fetched.push(basename(path));
			return response.end(file.content);
		}
		const versions = [...published].filter(([, { manifest }]) => manifest.name === path);
		if (versions.length === 0) return answerJson(response, 404, { error: 'Not found' });
		const entries = versions.map(([name, { manifest, content }]) => {
			const integrity = `sha512-${createHash('sha512').update(content).digest('base64')}`;
			const dist = { tarball: `${registry}/${path}/-/${name}`, integrity };
			return [manifest.version, { ...manifest, dist }];
		});
		answerJson(response, 200, {
			name: path,
			'dist-tags': { latest: versions.at(-1)?.[1].manifest.version },
			versions: Object.fromEntries(entries),
		});
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	const registry = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	const folder = mkdtempSync(join(tmpdir(), 'registry-'));
	mkdirSync(join(folder, 'bin'));
	const closedPort = 'http://127.0.0.1:9';
	return {
		env: {
			PATH: installNpm(join(folder, 'bin'), registry),
			npm_config_cache: join(folder, 'cache'),
			// n8n asks the real registry, and its own service, without npm as well: nobody there is called.
			HTTPS_PROXY: closedPort,
			https_proxy: closedPort,
		},
		fetched,
		publish: async (tarball) => {
			const content = readFileSync(tarball);
			const manifest = JSON.parse(readFromTarball(content, 'package/package.json')) as Manifest;
			published.set(`${manifest.name}-${manifest.version}.tgz`, { manifest, content });
			return manifest.version;
		},
		close: async () => {
			server.close();
			await once(server, 'close');
			rmSync(folder, { recursive: true, force: true });
		},
	};
}
