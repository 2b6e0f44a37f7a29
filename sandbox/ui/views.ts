/** Tabs of the inbox, with their titles. */
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
