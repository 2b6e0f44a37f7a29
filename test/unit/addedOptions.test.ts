import type { INodeProperties } from 'n8n-workflow';

import { options as ofBulk } from '../../nodes/SmsBulkSend/bulkSend.operation';
import { otpOptions } from '../../nodes/OtpRequest/otpOptions';
import { options as ofSend } from '../../nodes/SmsSend/send.operation';
import { options as ofWait } from '../../nodes/SmsSendAndWait/sendAndWait.operation';
import { options as ofQuestion } from '../../nodes/SmsSendAndWaitForResponse/ask.operation';
import { triggerOptions } from '../../nodes/SmsReceiptTrigger/triggerOptions';
import type { Options } from '../../nodes/shared/options/option';
import { loadNode, nodeFolders } from '../support/unit/loadNode';

const isShown = ({ type }: INodeProperties) => type !== 'hidden';

/** Everything in Options, as n8n gets it. */
const added = nodeFolders.flatMap((folder) =>
	loadNode(folder)
		.description.properties.filter(({ name }) => name === 'options')
		.flatMap(({ name, options = [] }) =>
			(options as INodeProperties[])
				.filter(isShown)
				.map((property) => ({ where: `${folder}.${name}`, property })),
		),
);

const named = ({ where, property }: (typeof added)[number]) => `${where}.${property.name}`;

test('a switch shows, as soon as it is added, the opposite of what holds without it', () => {
	const switches = added.filter(({ property }) => property.type === 'boolean');
	expect(switches.length).toBeGreaterThan(15);
	const off = switches.filter(({ property }) => property.default !== true);
	expect(off.map(({ property }) => property.name)).toEqual(Array(2).fill('skipDuplicates'));
});

test('a limit has a number that limits as soon as it is added', () => {
	const limits = added.filter(({ property }) => property.displayName.startsWith('Max '));
	expect(limits.length).toBeGreaterThan(8);
	expect(limits.filter(({ property }) => !(Number(property.default) > 0)).map(named)).toEqual([]);
});

test.each([
	['maxParts', 10],
	['whenOutcomeUnknown', 'sendAgain'],
])('%s shows, as soon as it is added, the value that holds without it', (name, value) => {
	const choices = added.filter(({ property }) => property.name === name);
	expect(choices.map(({ property }) => property.default)).toEqual(Array(4).fill(value));
});

// A switch is off without it, and what names numbers, texts or times then names none.
test('each limit says what holds without it', () => {
	const limits = added.filter(
		({ where, property: { name } }) =>
			/^(OtpRequest|SmsSend|SmsBulkSend)\./.test(where) &&
			(/^max/.test(name) || name === 'whenOutcomeUnknown') &&
			name !== 'maxInvalidAttempts',
	);
	expect(limits.length).toBeGreaterThan(7);
	const silent = limits.filter(
		({ property: { description = '' } }) =>
			!/(default|limit) is \d+\.$|for no limit\.$|Without this option, .+\.$/.test(description),
	);
	expect(silent.map(named)).toEqual([]);
});

/** What holds while an option is absent, whatever its default shows when it is added. */
const whenAbsent: Record<string, unknown> = {
	allowedCountryCodes: undefined,
	allowEmptyFields: false,
	doNotSendTo: new Set(),
	dryRun: false,
	encrypt: false,
	ipAllowlist: undefined,
	lookBackHours: 20,
	maxMessages: Infinity,
	maxParts: 10,
	maxPerHour: 300,
	maxPerRecipientPerHour: 5,
	passOnRepeats: false,
	pricePerPart: 0,
	skipDuplicates: true,
	skipIfAlreadySent: false,
	test: false,
	unicode: false,
	whenOutcomeUnknown: 'sendAgain',
};

test.each([
	['SMS Send', ofSend],
	['SMS Bulk Send', ofBulk],
	['SMS Send and Wait for Delivery', ofWait],
	['SMS Send and Wait for Response', ofQuestion],
	['the trigger', triggerOptions],
	['OTP Request', { ...otpOptions, allowedCountryCodes: ofSend.allowedCountryCodes }],
])(
	'an absent option of %s has the value of its absence, not its default',
	(_, options: Options) => {
		for (const [name, one] of Object.entries(options))
			if (name in whenAbsent) expect([name, one.whenAbsent]).toEqual([name, whenAbsent[name]]);
		expect(otpOptions.allowedCountryCodes.whenAbsent).toEqual(['95']);
	},
);
