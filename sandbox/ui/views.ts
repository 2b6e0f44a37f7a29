/** What is shown, each in a tab of its own. */
export const views = {
	all: 'Everything sent or refused',
	messages: 'Messages',
	codes: 'Codes',
	receipts: 'Receipts',
	mails: 'Mails',
	refused: 'Refused',
	requests: 'Requests',
};
export type View = keyof typeof views;
