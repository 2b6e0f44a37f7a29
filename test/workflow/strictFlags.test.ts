import type { Settings } from '../../sandbox';
import { runAgainst } from '../support/workflow/runAgainst';
import { useSandbox } from '../support/workflow/useSandbox';

/** Live services differ in what they take for a flag: the nodes' requests are taken by all of them. */
describe.each<[Settings['strictFlags']]>([['none'], ['test'], ['all']])(
	'flags, to a service whose strictFlags are %s',
	(strictFlags) => {
		const sandbox = useSandbox({ strictFlags });
		const flags = { encrypt: true, test: true, unicode: true };

		test.each(['rest', 'http'])('are accepted from SMS Send over %s', async (surface) => {
			const send = runAgainst(sandbox, 'SmsSend');
			const { error } = await send({ options: { ...flags, surface } });
			expect(error).toBeUndefined();
			expect(sandbox.messages()).toMatchObject([{ test: true, encryptMessage: true }]);
		});

		test.each(['rest', 'http'])('are left out by SMS Send over %s when off', async (surface) => {
			const send = runAgainst(sandbox, 'SmsSend');
			const off = { encrypt: false, test: false, unicode: false };
			expect((await send({ options: { ...off, surface } })).error).toBeUndefined();
			expect(sandbox.messages()).toMatchObject([{ test: false }]);
		});

		test.each(['SmsBulkSend', 'OtpRequest', 'SmsHistory', 'SmsBalance'] as const)(
			'do not trouble %s',
			async (node) => {
				expect((await runAgainst(sandbox, node)()).error).toBeUndefined();
			},
		);
	},
);
