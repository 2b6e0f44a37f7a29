import fc from 'fast-check';

export const requestId = '184512007';

/** A confirmation as the specification shows it. */
export const whole = {
	request_id: 184512007,
	to: '959779123456',
	verifiedAt: '2026-11-20 14:01:00',
};

/** Each of them makes a confirmation none, at the top of the body or in `data`. */
export const refusals: Array<Record<string, unknown>> = [
	...[false, 0, 'false', '0', 300, 400, 401, 500, '400', '503', 'error', 'failed', '', {}, []].map(
		(status) => ({ status }),
	),
	...[false, 0, 'false', 'no', null].map((verified) => ({ verified })),
	{ success: false },
	{ statusCode: 400 },
	...['Invalid request!.', true, 1, {}, { message: 'no' }, ['no']].map((error) => ({ error })),
	{ errors: ['no'] },
	{ name: 'Bad Request' },
	{ name: 'Unauthorized', message: 'no', code: 0, status: 401 },
];

/** Values that are no text, date or identifier of the request. */
export const broken = {
	request_id: [184512008, '184512008', '0184512007', null, '', true, [184512007], {}, 1.5],
	to: [null, '', ' ', [], ['959779123456'], {}, true],
	verifiedAt: [
		...[
			null,
			'',
			'never',
			'null',
			'0000-00-00 00:00:00',
			'1970-01-01 00:00:00',
			0,
			1732086060,
			true,
		],
		...['2026-02-30 10:00:00', '2026-13-01 10:00:00', '2026-11-20 24:00:00', '2026-11-20 10:60:00'],
		...['2026-11-20', '14:01:00', '2026-11-20 14:01', 'x2026-11-20 14:01:00', [], {}],
	],
};

export const anything = fc.jsonValue({ maxDepth: 2 });
export const otherFields = fc.dictionary(fc.string({ maxLength: 8 }), anything, { maxKeys: 3 });
export const harmless = otherFields.filter(
	(fields) => !/status|verified|success|valid|ok|error|name|data/i.test(JSON.stringify(fields)),
);
export const flaw = fc.oneof(
	...Object.entries(broken).map(([field, values]) =>
		fc.oneof(fc.constantFrom(undefined, ...values)).map((value) => ({ [field]: value })),
	),
	fc.constantFrom(...refusals),
	fc.constantFrom(...refusals).map((refusal) => ({ data: refusal })),
);
