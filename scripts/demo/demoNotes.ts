import type { INode } from 'n8n-workflow';

import { exampleFile } from '../n8n/examples';
import { demoSenders } from './sandboxProcess';

/** The addresses of the demo, which depend on its ports. */
export interface DemoAddresses {
	n8n: string;
	/** The page of the sandbox: messages and codes. */
	inbox: string;
}

const execute = 'Choose **Execute workflow**.';
const form =
	'Choose **Execute workflow**: the form opens in another window of the browser. No window? Allow n8n to open windows.';
const login = 'Log in as `demo` with the demo password that `npm start` prints.';
const ofTheUser = (what: string, nodes: string) =>
	`Choose ${what} in ${nodes}: the demo has none. Everything else is already filled in.`;
const publish = 'Publish the workflow.';
const receiptUrl =
	'Copy the **Production URL** of **Delivery receipt**. In example 01, add the option **Delivery Receipt URL** to **Send SMS**, and paste the address.';

/** What to do in the demo, where credentials are filled in. By the name of the example. */
const steps: Record<string, (at: DemoAddresses) => string[]> = {
	'check-your-account': () => [
		form,
		'Type a number, such as `09791234567`. The code is in the inbox.',
	],
	'send-one-sms': () => [
		execute,
		'Open the inbox: it shows the message and its delivery status.',
		'Send to `09000000003`, which never delivers: example 06 alerts the team within a minute.',
		`Try another sender: ${demoSenders.map((sender) => `\`${sender}\``).join(', ')} are registered for the demo's account. The service rejects all others.`,
	],
	'otp-on-a-form': () => [form, 'Type a number, such as `09791234567`. The code is in the inbox.'],
	'bulk-from-spreadsheet': () => [
		`${form} ${login}`,
		'Upload `examples/customers.csv`, or an Excel file of your own with the columns `phone` and `name`. One of its rows is wrong on purpose, and one is a duplicate.',
		'The page shows what would be sent. Choose **Send the messages**: they are in the inbox.',
	],
	'email-when-not-delivered': () => [
		`${execute} It waits a few seconds for the receipt.`,
		`Put \`09000000003\` into **Customer**, which never delivers, and execute it again: the email is in the inbox.`,
	],
	'appointment-reminders': () => [
		'Execute **Once: create the tables**. Under **Data tables**, add a row of tomorrow to **Appointments (example 05)**.',
		'Execute from **Evening and morning**. The reminder and the email are in the inbox. Execute it again: there is no second one.',
	],
	'alert-when-not-delivered': () => [
		'It is published, and gets the receipts of the sandbox.',
		'Send to `09000000003` with example 01: within a minute, the SMS to `09790000001` and the email to the team are in the inbox.',
	],
	'long-campaign': () => [
		'Execute **Once: create SMS opt-outs**. A recipient to try is in **Campaign (example 09)** under **Data tables**.',
		'Execute from **Every minute of the day**. The message is in the inbox, and its outcome is in the table.',
	],
	'opt-outs': ({ inbox }) => [
		'Publish the workflow.',
		`Execute **Once: create SMS opt-outs**, then **Start the campaign**: ${login} Open the link of one of the messages in the [inbox](${inbox}).`,
		'Change the text in **Send messages**, and execute it again: recipients who opted out get nothing.',
	],
	'unpaid-fees': () => [
		'Execute **Once: create the tables**, and add a row with a phone number, a name and an amount to **Fees (example 32)** under **Data tables**.',
		'Execute from **Every Monday at 9**. The message is in the inbox. Tick `paid`, and execute it again: nothing is sent.',
	],
	'sign-in-webhook': ({ n8n }) => [
		'Publish the workflow.',
		`Call it as your website would; the key is the demo password that \`npm start\` prints: \`curl -X POST ${n8n}/webhook/sign-in/request-code -H 'X-Api-Key: KEY' -H 'Content-Type: application/json' -d '{"phone": "09791234567"}'\``,
		'The code is in the inbox.',
	],
	'low-balance-alert': () => [
		'In **Is it enough?**, enter a number above the balance of the sandbox, such as 2000000.',
		`${execute} The email is in the inbox.`,
	],
	'agent-drafts-person-approves': () => [
		ofTheUser('your OpenAI account', '**Model**'),
		`${execute} The question is in the inbox: its link opens the page.`,
	],
	'ask-many-people': () => [
		'Publish the workflow.',
		`${form} ${login} Upload \`examples/customers.csv\`, and choose **Ask them**.`,
		'The questions are in the inbox: their links open the pages. The answers are in the data table **Questions (example 31)**.',
	],
	'refund-approval': ({ n8n }) => [
		'Publish the workflow.',
		`Call it as your shop would; the key is the demo password that \`npm start\` prints: \`curl -X POST ${n8n}/webhook/refunds/ask -H 'X-Api-Key: KEY' -H 'Content-Type: application/json' -d '{"order": "1234", "amount": 45000, "phone": "09791234567"}'\``,
		'The question is in the inbox: its link opens the page.',
	],
	'long-campaign-postgres': () => [
		ofTheUser('your Postgres account', 'the three Postgres nodes'),
		'Execute **Start once**, and then from **Every minute of the day**. The messages are in the inbox.',
	],
	'receipts-once-postgres': () => [
		ofTheUser('your Postgres account', '**Create the table** and **Note in Postgres**'),
		'Execute **Start once**, which creates the table.',
		publish,
		receiptUrl,
		'Execute example 01, and look at the list of executions.',
	],
	'otp-limits-in-redis': ({ n8n }) => [
		ofTheUser('your Redis account', '**Count**'),
		'Publish the workflow.',
		`Call it as your website would; the key is the demo password: \`curl -X POST ${n8n}/webhook/codes/request -H 'X-Api-Key: KEY' -H 'Content-Type: application/json' -d '{"phone": "09791234567"}'\``,
	],
	'delivery-status-by-schedule': () => [
		'Execute **Once: create the table**.',
		'Send to `09000000003`, which never delivers, with example 01, and wait a minute.',
		'Execute from **Every 5 minutes**. The email to the team is in the inbox. Execute it again: there is still only one.',
	],
	'morning-report': () => [
		'Execute from **Every morning**: the email is in the inbox. It reports the seven days that the demo starts with, and what you sent.',
	],
	'resend-not-delivered': () => [
		'Send to `09000000003`, which never delivers, with example 01, and wait a minute.',
		`${form} ${login} The page shows the message. Choose **Send again**.`,
	],
	'results-are-ready': () => [
		`${form} ${login}`,
		'Type a number and a name. The SMS is in the inbox.',
	],
	'sign-in-page': ({ n8n }) => [
		`Publish the workflow, and open [the page](${n8n}/webhook/sign-in-page).`,
		'Type a number, such as `09791234567`. The code is in the inbox.',
	],
	'delivery-dashboard': ({ n8n }) => [
		`Publish the workflow, and open [the page](${n8n}/webhook/delivery-dashboard). ${login}`,
		'It shows the seven days that the demo starts with, and what you sent.',
	],
};

const note = 'n8n-nodes-base.stickyNote';

/** What stands before the steps of a note, and the marks before their numbers: a step can be a heading. */
function readIntroduction(content: string): { introduction: string; marks: string } {
	const [introduction, marks = ''] = content.split(/^(#+ )?1\. /m);
	return { introduction: introduction.trim(), marks };
}

/** A heading shows what is bold or code in it smaller than the rest. */
const writeStep = (marks: string, number: number, step: string) =>
	`${marks}${number}. ${marks === '' ? step : step.replace(/\*\*|`/g, '')}`;

/** The note of an example with what is left to do in the demo, in the place of what is done there already. */
export function writeDemoNote(name: string, nodes: INode[], at: DemoAddresses): INode[] {
	const main = nodes.find(({ type }) => type === note);
	const { introduction, marks } = readIntroduction(String(main?.parameters.content));
	const list = steps[name](at).map((step, index) => writeStep(marks, index + 1, step));
	const content = [
		introduction,
		list.join('\n'),
		`**Inbox**: [${at.inbox}](${at.inbox})`,
		`**To use it for real**, import \`${exampleFile(name)}\` from the folder \`examples\` into your own n8n. Its note says what to set.`,
	].join('\n\n');
	return nodes.map((node) =>
		node === main ? { ...node, parameters: { ...node.parameters, content } } : node,
	);
}
