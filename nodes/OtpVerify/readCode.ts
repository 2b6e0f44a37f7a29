import { EmptyError, InputError } from '../shared/input/InputError';
import { unwrap, withoutPunctuation } from '../shared/input/notation';

/** Far longer than any SMS. */
const longestText = 2000;

const notACode = () =>
	new InputError(
		'code',
		'Code must be 4 to 8 digits or letters, with at least one digit',
		'Ask the person to enter only the code.',
	);
const isNumber = () =>
	new InputError('code', 'Code is a number, so a leading zero would be lost', 'Use a text field.');

/** Digits, with letters that look like some. */
const digitsAndLetters = /[OoIl\u101D\u101B]*\d[\dOoIl\u101D\u101B]*/g;

/** Also what spreadsheets and JSON write for a number: `118625.0`, `4.87574e5`. */
function isWrittenNumber(text: string): boolean {
	return /^\d+\.0+$|^\d(?:\.\d+)?e\+?\d+$/i.test(text);
}

const digitsOrLetters = /^(?=.*\d)[\da-z]{4,8}$/i;

/** The only run of 4 to 8 digits in a text. */
function findDigits(text: string): string {
	const runs = text.replace(/(?<=\d)\p{Pd}(?=\d)/gu, '').match(digitsAndLetters) ?? [];
	const [code = '', ...others] = new Set(runs.filter(({ length }) => length >= 4 && length <= 8));
	return /^\d+$/.test(code) && others.length === 0 ? code : '';
}

/**
 * A code as typed in any notation and script, without spaces and dashes: digits, or letters and digits (field note 20).
 * Or the only run of digits in a text such as `G-487574` or the whole SMS. Errors never contain the code.
 * @throws InputError for a number, too, whatever its length: `042719` would be 42719
 */
export function readCode(value: unknown): string {
	if (typeof value === 'number') throw isNumber();
	const given = typeof value === 'string' ? value.trim() : '';
	if (given.length > longestText) throw notACode();
	const text = unwrap(given);
	const typed = withoutPunctuation(text);
	if (typed === '') {
		const hint =
			'Fill in the code that the person typed, for example {{ $json.code }} from a form.';
		throw new EmptyError('code', 'Code', hint);
	}
	if (isWrittenNumber(text)) throw isNumber();
	const isWhole = /^\d+$/.test(typed) || digitsOrLetters.test(text);
	const code = isWhole ? typed : findDigits(text) || typed;
	if (digitsOrLetters.test(code)) return code;
	throw notACode();
}
