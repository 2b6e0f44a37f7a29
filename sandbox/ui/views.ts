/** Tabs of the inbox, with their titles. */
export const views = {
	all: 'Everything sent or rejected',
	messages: 'Messages',
	codes: 'Codes',
	receipts: 'Receipts',
	mails: 'Mails',
	refused: 'Rejected',
	requests: 'Requests',
};
export type View = keyof typeof views;
