import type { IDataObject } from 'n8n-workflow';

import { runAgainst } from '../support/workflow/runAgainst';
import { shortenWaits } from '../support/workflow/shortenWaits';
import { answerJson, useStandIn, type ReceivedRequest } from '../support/workflow/useStandIn';

const forms = {
	whenOn: { on: 1, off: undefined },
	numbers: { on: 1, off: 0 },
	booleans: { on: true, off: false },
};

describe.each(Object.entries(forms))('Flags of the credential: %s', (flags, { on, off }) => {
	const service = useStandIn();
	shortenWaits();

	const send = async (type: 'SmsSend' | 'SmsBulkSend', options: IDataObject = {}) => {
		service.answer = () =>
			answerJson(201, {
				messages: [{ messageId: 'a', to: '959779123456', message: 'Hello', status: 'Accepted' }],
			});
		const { error } = await runAgainst(service, type)({ options }, { credentials: { flags } });
		expect(error).toBeUndefined();
		return service.requests[0];
	};
	const fieldsOf = ({ body }: ReceivedRequest) => JSON.parse(body) as IDataObject;
	const pick = ({ test, unicode, encrypt }: IDataObject) => ({ test, unicode, encrypt });

	test('apply to a message of its own', async () => {
		const { body } = await send('SmsSend', { test: true, encrypt: false });
		expect(pick(JSON.parse(body) as IDataObject)).toEqual({
			test: on,
			unicode: off,
			encrypt: off,
		});
	});

	test('apply to each message in bulk', async () => {
		const { messages } = fieldsOf(await send('SmsBulkSend')) as { messages: IDataObject[] };
		expect(messages.map(pick)).toEqual([{ test: off, unicode: off, encrypt: off }]);
	});

	test('apply to query parameters', async () => {
		const { query } = await send('SmsSend', { unicode: true, surface: 'http' });
		const write = (value: unknown) => (value === undefined ? undefined : String(value));
		expect(pick(query)).toEqual({ test: write(off), unicode: write(on), encrypt: write(off) });
	});
});
