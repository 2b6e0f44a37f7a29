import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

test('axios is called through one client', () => {
	const files = ['scripts', 'test', 'tools'].flatMap((folder) =>
		readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
			join(folder, file).replaceAll('\\', '/'),
		),
	);
	const callers = files.filter(
		(file) => /\.m?ts$/.test(file) && /^(import|export) .*'axios'/m.test(read(file)),
	);
	expect(callers).toEqual(['scripts/http.ts']);
});
