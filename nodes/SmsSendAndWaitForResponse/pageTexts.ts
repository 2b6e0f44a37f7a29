/** Texts of the page in one language. */
export interface PageTexts {
	/** Such as `en`. */
	languageCode: string;
	/** Heading of the question. */
	title: string;
	approve: string;
	decline: string;
	/** Label of the field for the reason for declining. */
	reason: string;
	/** Label of the field for free text. */
	response: string;
	send: string;
	recordedTitle: string;
	recorded: string;
	/** Shown above the earlier response. */
	answered: string;
	closedTitle: string;
	closed: string;
	/** Of an internal error, which decides nothing. */
	failed: string;
	tooLong: string;
	empty: string;
	/** Of a long value in a review, after their number. */
	characters: string;
	entries: string;
	showAll: string;
	/** In the SMS, after the number of arguments that it has no room for. */
	more: string;
}

export const english: PageTexts = {
	languageCode: 'en',
	title: 'Your response is needed',
	approve: 'Approve',
	decline: 'Decline',
	reason: 'Reason for declining (optional)',
	response: 'Your response',
	send: 'Send',
	recordedTitle: 'Response recorded',
	recorded: 'Your response was recorded. You can close this page.',
	answered: 'This question was already answered:',
	closedTitle: 'Question closed',
	closed: 'This question is closed. Nothing was recorded.',
	failed: 'Something went wrong. Open the link again in a minute.',
	tooLong: 'Nothing was recorded: the text is too long. Use at most 2000 characters.',
	empty: 'Nothing was recorded yet: fill in your response and press the button again.',
	characters: 'characters',
	entries: 'entries',
	showAll: 'show all',
	more: 'more on the page',
};

export const burmese: PageTexts = {
	languageCode: 'my',
	title: 'သင့်အဖြေ လိုအပ်ပါသည်',
	approve: 'အတည်ပြုမည်',
	decline: 'ငြင်းပယ်မည်',
	reason: 'ငြင်းပယ်ရသည့် အကြောင်းရင်း (မဖြည့်လည်း ရပါသည်)',
	response: 'သင့်အဖြေ',
	send: 'ပေးပို့မည်',
	recordedTitle: 'အဖြေ မှတ်တမ်းတင်ပြီးပါပြီ',
	recorded: 'သင့်အဖြေကို မှတ်တမ်းတင်ပြီးပါပြီ။ ဤစာမျက်နှာကို ပိတ်နိုင်ပါသည်။',
	answered: 'ဤမေးခွန်းကို ဖြေကြားပြီး ဖြစ်ပါသည် -',
	closedTitle: 'မေးခွန်း ပိတ်ထားပါသည်',
	closed: 'ဤမေးခွန်းကို ပိတ်ထားပါသည်။ မည်သည့်အဖြေကိုမျှ မှတ်တမ်းမတင်ပါ။',
	failed: 'တစ်ခုခု မှားယွင်းသွားပါသည်။ တစ်မိနစ်အကြာတွင် လင့်ခ်ကို ထပ်ဖွင့်ပါ။',
	tooLong: 'အဖြေကို မှတ်တမ်းမတင်ရသေးပါ။ စာ ရှည်လွန်းပါသည်။ စာလုံး ၂၀၀၀ ထက် မပိုရပါ။',
	empty: 'အဖြေကို မှတ်တမ်းမတင်ရသေးပါ။ အဖြေ ဖြည့်ပြီး ခလုတ်ကို ထပ်နှိပ်ပါ။',
	characters: 'စာလုံး',
	entries: 'ခု',
	showAll: 'အားလုံး ပြရန်',
	more: 'ခု စာမျက်နှာတွင် ကျန်ပါသည်',
};

const rightToLeft = /^(ar|ckb|dv|fa|he|ps|sd|ug|ur|yi)\b/i;

export function directionOf(language: string): 'ltr' | 'rtl' {
	return rightToLeft.test(language) ? 'rtl' : 'ltr';
}
