import { randomUUID } from 'node:crypto';

import type { WorkflowDefinition } from '../../../scripts/n8n/n8nClient';
import { callAll } from '../../support/e2e/callAll';
import { sinceN8n2 } from '../../support/e2e/sinceN8n2';
import type { Changes } from '../../support/e2e/ExampleRunner';
import { forBuilders, type FormVisitor } from '../../support/e2e/visitForm';
import { rewrite, Week } from '../../support/e2e/Week';

/** Of the codes that a form sends in an hour. */
const maxPerHour = 10;

/** What differs between the forms. */
interface Form {
	name: string;
	unavailable: string;
	limited: string;
}
const forms: Form[] = [
	{
		name: 'otp-on-a-form',
		unavailable: 'We cannot send codes just now.',
		limited: 'We send only a few codes within a short time.',
	},
];

/** Pages that wait for seconds instead of minutes. */
function hasten(example: WorkflowDefinition): WorkflowDefinition {
	const hastened = rewrite(example, [
		[/"resumeAmount":\d+,"resumeUnit":"\w+"/g, '"resumeAmount":5,"resumeUnit":"seconds"'],
	]);
	// Beside the example itself, it needs another address.
	const nodes = hastened.nodes.map((node) => ({ ...node, webhookId: randomUUID() }));
	return { ...hastened, nodes };
}

sinceN8n2('forms as the examples use them').describe('a week of forms', () => {
	let week: Week;
	/** Who has a page open when n8n is killed. */
	const open: Array<{ form: Form; typing: FormVisitor; code: string }> = [];
	const abandoned: Array<{ id: string; requestId: string }> = [];
	beforeAll(async () => {
		week = await Week.open();
		week.runner.sandbox.configure({ balance: 1_000_000 });
	});
	afterAll(async () => await week?.close());

	const prefixOf = (form: Form) => String(3000 + forms.indexOf(form));
	const codesTo = (phone: string) =>
		week.runner.sandbox.codes().filter(({ to }) => to.startsWith(`95${phone.slice(1)}`));
	/** Numbers of visitors begin with the number of the form. */
	const publish = async (form: Form, example: WorkflowDefinition, changes: Changes = {}) => {
		const { workflow, open: openForm } = await week.publishForm(example, changes);
		/** Opens the form, and types the n-th number. */
		const begin = async (n: number) => {
			const phone = `0979${prefixOf(form)}${100 + n}`;
			const visitor = await openForm();
			await visitor.submit({ 'field-0': phone });
			expect(visitor.text).not.toMatch(forBuilders);
			return { visitor, phone };
		};
		return { id: workflow.id, begin };
	};
	const type = async (visitor: FormVisitor, code: string) => {
		await visitor.submit({ 'field-0': code });
		expect(visitor.text).not.toMatch(forBuilders);
		return visitor.text;
	};

	test.each(forms)(
		'$name lets in who has typed something wrong, and bounds the one with a hundred numbers',
		async (form) => {
			const { runner } = week;
			const sent = () => codesTo(`0979${prefixOf(form)}`);
			const { begin } = await publish(form, week.take(form.name), {
				'Send code': { options: { maxPerHour } },
			});
			const hastened = await publish(form, hasten(week.take(form.name)));
			const absent = await hastened.begin(3);
			const [{ requestId }] = codesTo(absent.phone);
			abandoned.push({ id: hastened.id, requestId: String(requestId) });

			await runner.disconnect();
			expect((await begin(0)).visitor.text).toContain(form.unavailable);
			await runner.reconnect();
			expect(sent()).toHaveLength(1);

			const typo = await begin(1);
			const [{ code }] = codesTo(typo.phone);
			const wrong = code.startsWith('1') ? '222222' : '111111';
			expect(await type(typo.visitor, wrong)).toContain('That code is wrong');
			expect(await type(typo.visitor, code)).toContain('Your phone number is verified.');

			const { visitor: typing, phone } = await begin(2);
			const numbers = maxPerHour + 5;
			const visits = await callAll(numbers, 4, async (n) => (await begin(100 + n)).visitor);
			const turnedAway = visits.filter(({ text }) => text.includes(form.limited));
			// The verified code no longer counts; that of the other workflow never did.
			expect(sent()).toHaveLength(2 + maxPerHour);
			expect(turnedAway).toHaveLength(numbers - (maxPerHour - 1));

			open.push({ form, typing, code: codesTo(phone)[0].code });
		},
	);

	test('after a kill, lets in who has a code, and waits no more for who gave up', async () => {
		const { runner, n8n } = week;
		await n8n.crash();
		for (const { form, typing, code } of open)
			expect([form.name, await type(typing, code)]).toEqual([
				form.name,
				expect.stringContaining('Your phone number is verified.'),
			]);
		const ended = await week.until('the forms of those who gave up to end', async () => {
			const statuses = await week.statusesOf(abandoned.map(({ id }) => id));
			return statuses.waiting || statuses.running ? undefined : statuses;
		});
		console.info('a week of forms', { ended });
		expect(ended).toEqual({ success: forms.length });
		// Nothing typed is nothing checked.
		for (const { requestId } of abandoned)
			expect(runner.sandbox.requests({ path: '/otp/verify', text: requestId })).toEqual([]);
	});
});
