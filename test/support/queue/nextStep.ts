import type { IDataObject } from 'n8n-workflow';

import type { NodeUnderTest } from '../../../tools/harness';
import { useStandIn, type StandIn } from '../workflow/useStandIn';

/** A server to which a step of a workflow posts the items that it gets: what counts is what came there. */
export interface NextStep {
	/** Makes that step: once for all of its items. */
	makeNode(name: string): NodeUnderTest;
	/** All items of this test, in the order in which they came. */
	items(): IDataObject[];
}

function readItems({ requests }: StandIn): IDataObject[] {
	return requests.flatMap(({ body }) => (JSON.parse(body) as { items: IDataObject[] }).items);
}

export function useNextStep(): NextStep {
	const standIn = useStandIn();
	beforeEach(() => void (standIn.answer = () => new Response('OK')));
	return {
		makeNode: (name) => ({
			name,
			type: 'n8n-nodes-base.httpRequest',
			typeVersion: 4.2,
			executeOnce: true,
			parameters: {
				method: 'POST',
				url: standIn.baseUrl,
				sendBody: true,
				specifyBody: 'json',
				jsonBody: '={{ JSON.stringify({ items: $input.all().map(({ json }) => json) }) }}',
				options: {},
			},
		}),
		items: () => readItems(standIn),
	};
}
