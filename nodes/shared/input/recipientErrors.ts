import { declareEmpty, declareError } from './InputError';

const phoneHint =
	'Use a mobile number such as 09791234567 or, with country code, +959791234567 or +6591234567.';
export const empty = declareEmpty(phoneHint);
export const notANumber = declareError('<Field> is not a phone number: <value>', phoneHint);
export const tooLong = declareError('<Field> is too long for a phone number: <value>', phoneHint);
export const tooShort = declareError('<Field> is too short for a phone number: <value>', phoneHint);
export const notMobile = declareError('<Field> is not a mobile number: <value>', phoneHint);
export const mobileTooLong = declareError(
	'<Field> is too long for a mobile number: <value>',
	phoneHint,
);
export const mobileTooShort = declareError(
	'<Field> is too short for a mobile number: <value>',
	phoneHint,
);
export const several = declareError(
	'<Field> contains several numbers where one is expected: <value>',
	'Enter one number only.',
);
export const onlySpaces = declareError(
	'<Field> contains several numbers separated only by spaces: <value>',
	'Separate several numbers with commas: 09791234567, 09797654321.',
);
export const decimal = declareError(
	'<Field> is a decimal number: <value>',
	'Format the column of the spreadsheet as text, and enter the number again, such as 09791234567.',
);
export const date = declareError(
	'<Field> looks like a date: <value>',
	'Check which field is mapped to <Field>.',
);
export const letterAsDigit = declareError(
	'<Field> contains a letter that looks like a digit: <value>',
	'Type digits: 0 and 1, not O and l; ၀ and ၇, not the letters ဝ and ရ.',
);
export const twoNumbers = declareError(
	'<Field> could be two numbers: <value>',
	'Write the one that you mean: <one> or <other>.',
);
export const noCountryCode = declareError(
	'<Field> has no country code: <value>',
	'Allowed Country Codes is <codes>. Use + and country code, such as <example>.',
);
export const shortForeign = declareError(
	'<Field> is too short for a number in another country: <value>',
	'For a number in Myanmar, use 0<digits>. For any other, check the country code.',
);
export const unassigned = declareError(
	'<Field> has a country code that no country has: <value>',
	phoneHint,
);
export const otherCountry = declareError(
	'<Field> is not a phone number in Myanmar: <value>',
	'Check which field is mapped to <Field>. A mobile number in Myanmar starts with 09; any other needs + and its country code, or the code in Allowed Country Codes.',
);
export const notAnEmail = declareError(
	'<Field> is not an email address: <value>',
	'Use an email address such as name@example.com, or a phone number without @.',
);
export const wrongPrefix = declareError(
	'<Field> has an invalid number prefix: <value>',
	'Write a number prefix with its country code and one * at the end, such as 9597910*.',
);
export const notDomestic = declareError(
	'<Field> is not a number that starts with 95: <value>',
	'Use a number such as 959791234567: the service can filter history only by numbers in Myanmar.',
);
export type NumberError = typeof notANumber;
