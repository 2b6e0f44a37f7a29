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
export const letterAsDigit = declareError(
	'<Field> contains a letter that looks like a digit: <value>',
	'Type the digits ၀ and ၇, not the letters ဝ and ရ, or use 0 to 9.',
);
export const lostZero = declareError(
	'<Field> is not a complete phone number: <value>',
	'The leading 0 was probably lost: store the number as text, such as 09791234567, or with the country code, such as +959791234567.',
);
export const twoNumbers = declareError(
	'<Field> could be two numbers: <value>',
	'Use the country code: +<rest> if the 0 is extra, or +95<rest>.',
);
export const otherCountry = declareError(
	'<Field> has digits that are not a number in Myanmar: <value>',
	'Check which field is mapped to <Field>. For a number in another country, use + and country code, such as +<digits>, or add the code to Allowed Country Codes.',
);
export const notAnEmail = declareError(
	'<Field> is not an email address: <value>',
	'Use an email address such as name@example.com.',
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
