import { OptOuts } from '../../../../nodes/shared/options/optOuts';
import { describeList } from '../../../../nodes/shared/sending/describeList';
import type { Planned } from '../../../../nodes/shared/sending/planned';
import { normalizePhoneNumber, parseRecipients } from '../../../../nodes/shared/input/recipient';

const unread = (...entries: string[]) => Object.assign(new OptOuts(), { unread: entries });

interface Given {
	message?: string;
	doNotSendTo?: OptOuts;
	dryRun?: boolean;
}

function hintsOf(
	given: unknown[],
	{ message = 'Hello', doNotSendTo = unread(), dryRun = false }: Given = {},
): string[] {
	const planned = given.flatMap((to, item) =>
		parseRecipients(to).map(
			(one) =>
				({ item, to: normalizePhoneNumber(one), draft: { request: { message } } }) as Planned,
		),
	);
	return describeList({ given, planned }, { doNotSendTo, dryRun }).filter(Boolean);
}

describe('describeList', () => {
	test('says nothing of a list without anything odd', () => {
		const list = ['09791234567', '+6591234567', '၀၉၇၉၁၂၃၄၅၆၈', '09123456'];
		expect(hintsOf(list, { dryRun: true })).toEqual([]);
	});

	test('names numbers in digits that few people here can read, as they were read', () => {
		expect(hintsOf(['٠٩٧٩١٢٣٤٥٦٧'])).toEqual([
			'1 number was read from other digits: ٠٩٧٩١٢٣٤٥٦٧ as 959791234567.',
		]);
		const [several] = hintsOf(['٠٩٧٩١٢٣٤٥٦٧', '٠٩٧٩١٢٣٤٥٦٨']);
		expect(several).toMatch(/^2 numbers were read from other digits: .* as 959791234568\.$/);
	});

	test('names numbers with digits missing or too many, of a few networks', () => {
		expect(hintsOf(['0979123453'])).toEqual([
			'Check 1 number: 0979123453 has a digit less than numbers of this network.',
		]);
		expect(hintsOf(['097912345678, 09791234', '0979123453', '0979123453', '0978123453'])).toEqual([
			'4 numbers to check: 097912345678 has a digit more than numbers of this network, 09791234 has 3 digits less than numbers of this network, 0979123453 has a digit less than numbers of this network and 1 more.',
		]);
	});

	test('counts restored zeros in a dry run, with the first three', () => {
		const list = ['91234567', '9876543210', 9791234567, '9791234568', '09791234569'];
		expect(hintsOf(list, { dryRun: true })).toEqual([
			'4 numbers had lost their 0: 91234567, 9876543210, 9791234567 and 1 more. They were read as numbers in Myanmar.',
		]);
		expect(hintsOf(list)).toEqual([]);
	});

	test('warns of Zawgyi', () => {
		const message = 'ေမာင္ေမာင္ ေနေကာင္းလား';
		expect(hintsOf(['09791234567'], { message })).toEqual([
			'Message looks like Zawgyi, not Unicode. Most phones cannot show it: write it with a Unicode keyboard.',
		]);
		const planned = [message, `${message} 2`].map(
			(text) => ({ to: '959791234567', draft: { request: { message: text } } }) as Planned,
		);
		const [hint] = describeList(
			{ given: [], planned },
			{ doNotSendTo: unread(), dryRun: false },
		).filter(Boolean);
		expect(hint).toMatch(/^2 messages look like Zawgyi, /);
		expect(hintsOf(['09791234567'], { message: 'မောင်မောင် နေကောင်းလား' })).toEqual([]);
	});

	test('names entries of Do Not Send To that could not be read', () => {
		expect(hintsOf(['09791234567'], { doNotSendTo: unread('"nobody"', 'empty') })).toEqual([
			'2 entries of Do Not Send To are not phone numbers: "nobody", empty. All others were skipped as listed. Correct the table.',
		]);
	});
});
