import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

export interface Operation {
	operationId: string;
	summary: string;
	'x-method-shown'?: boolean;
	'x-assumptions'?: string[];
	parameters?: Array<{ name: string; in: string; required?: boolean }>;
	requestBody?: { content: Record<string, { schema: { $ref: string } }> };
	responses: Record<string, { $ref: string }>;
	security?: Array<Record<string, string[]>>;
}

export interface OpenApi {
	paths: Record<string, Record<'get' | 'post', Operation>>;
	components: {
		schemas: Record<string, { properties: Record<string, object> }>;
		responses: Record<string, { content: { 'application/json': { schema: { $ref: string } } } }>;
		pathItems: Record<string, Record<string, Operation>>;
	};
	'x-assumptions': string[];
}

export const openApiFile = join(__dirname, '..', '..', '..', 'docs', 'openapi.yaml');

export const openApi = parse(readFileSync(openApiFile, 'utf8')) as OpenApi;
