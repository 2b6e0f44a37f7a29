import { declareError } from './InputError';

/** The calling codes (ITU-T E.164) of each country (ISO 3166), with area codes where countries share one. */
const callingCodes =
	'US:1 EG:20 SS:211 MA:212 DZ:213 TN:216 LY:218 GM:220 SN:221 MR:222 ML:223 GN:224 CI:225 BF:226 NE:227 TG:228 ' +
	'BJ:229 MU:230 LR:231 SL:232 GH:233 NG:234 TD:235 CF:236 CM:237 CV:238 ST:239 GQ:240 GA:241 CG:242 CD:243 AO:244 ' +
	'GW:245 IO:246 SH:247,290 SC:248 SD:249 RW:250 ET:251 SO:252 DJ:253 KE:254 TZ:255 UG:256 BI:257 MZ:258 ZM:260 ' +
	'MG:261 RE:262 ZW:263 NA:264 MW:265 LS:266 BW:267 SZ:268 KM:269 ZA:27 ER:291 AW:297 FO:298 GL:299 GR:30 NL:31 ' +
	'BE:32 FR:33 ES:34 GI:350 PT:351 LU:352 IE:353 IS:354 AL:355 MT:356 CY:357 FI:358 BG:359 HU:36 LT:370 LV:371 ' +
	'EE:372 MD:373 AM:374 BY:375 AD:376 MC:377 SM:378 VA:379 UA:380 RS:381 ME:382 XK:383 HR:385 SI:386 BA:387 MK:389 ' +
	'IT:39 RO:40 CH:41 CZ:420 SK:421 LI:423 AT:43 GB:44 DK:45 SE:46 NO:47 PL:48 DE:49 FK:500 BZ:501 GT:502 SV:503 ' +
	'HN:504 NI:505 CR:506 PA:507 PM:508 HT:509 PE:51 MX:52 CU:53 AR:54 BR:55 CL:56 CO:57 VE:58 GP:590 BO:591 GY:592 ' +
	'EC:593 GF:594 PY:595 MQ:596 SR:597 UY:598 CW:599 BQ:5993,5994,5997 MY:60 AU:61 ID:62 PH:63 NZ:64 SG:65 TH:66 ' +
	'TL:670 NF:672 BN:673 NR:674 PG:675 TO:676 SB:677 VU:678 FJ:679 PW:680 WF:681 CK:682 NU:683 WS:685 KI:686 NC:687 ' +
	'TV:688 PF:689 TK:690 FM:691 MH:692 RU:7 KZ:76,77 JP:81 KR:82 VN:84 KP:850 HK:852 MO:853 KH:855 LA:856 CN:86 ' +
	'BD:880 TW:886 TR:90 IN:91 PK:92 AF:93 LK:94 MM:95 MV:960 LB:961 JO:962 SY:963 IQ:964 KW:965 SA:966 YE:967 OM:968 ' +
	'PS:970 AE:971 IL:972 BH:973 QA:974 BT:975 MN:976 NP:977 IR:98 TJ:992 TM:993 AZ:994 GE:995 KG:996 UZ:998 ' +
	'BS:1242 BB:1246 AI:1264 AG:1268 VG:1284 VI:1340 KY:1345 BM:1441 GD:1473 TC:1649 JM:1658,1876 MS:1664 MP:1670 ' +
	'GU:1671 AS:1684 SX:1721 LC:1758 DM:1767 VC:1784 PR:1787,1939 DO:1809,1829,1849 TT:1868 KN:1869 ' +
	'CA:1204,1226,1236,1249,1250,1257,1263,1289,1306,1343,1354,1365,1367,1368,1382,1403,1416,1418,1428,1431,1437,1438,' +
	'1450,1468,1474,1506,1514,1519,1548,1579,1581,1584,1587,1604,1613,1639,1647,1672,1683,1705,1709,1742,1753,1778,' +
	'1780,1782,1807,1819,1825,1867,1873,1879,1902,1905';
const longestCode = 4;

const countries = new Map(
	callingCodes.split(' ').flatMap((entry) => {
		const [country, codes] = entry.split(':');
		return codes.split(',').map((code) => [code, country] as const);
	}),
);

function callingCodeOf(digits: string): string {
	let code = digits.slice(0, longestCode);
	while (code !== '' && !countries.has(code)) code = code.slice(0, -1);
	return code;
}

/** The ISO 3166 country (`MM`) of a number, by its calling code; undefined for codes without a country. */
export function countryOf(digits: string): string | undefined {
	return countries.get(callingCodeOf(digits));
}

/** Calling codes of countries whose numbers can begin with 0. */
const codesBeforeZero = ['39', '378', '379', '225', '226', '229', '242', '992'];

/** What people in a country dial before a number at home, if it is not only 0. */
const trunks: Array<[code: string, dialed: RegExp]> = [
	['1', /^1(?=\d{10}$)/],
	['7', /^8(?=\d{10}$)/],
	['36', /^06/],
	['241', /^0(?=\d{8}$)/],
	['370', /^[08](?=\d{8}$)/],
	['375', /^(?:0|80?)(?=\d{9}$)/],
	['993', /^8(?=\d{8}$)/],
	// Until 2019, mobile numbers of Mexico had a prefix.
	['52', /^(?:0?1|04[45])(?=\d{10}$)|^0+/],
	// A carrier can follow the 0.
	['55', /^0(?:\d\d)?(?=\d{10,11}$)|^0+/],
	['57', /^0[3579]?(?=\d{10}$)|^0+/],
	// Mobile numbers have 15 after the area code at home, and 9 in front of it abroad.
	['54', /^0?9?0?(?=\d{12}$)(11|[23]\d\d|[23]\d{3})15|^0+/],
];

/** Removes what is only dialed within a country: +44 07911… is +44 7911…, and +7 8 916… is +7 916…. */
export function withoutTrunk(number: string): string {
	const own = callingCodeOf(number);
	if (own === '' || codesBeforeZero.includes(own)) return number;
	const [code, dialed] = trunks.find(([one]) => number.startsWith(one)) ?? [own, /^0+/];
	const isTwice = number.startsWith(`${code}00${code}`);
	const rest = number.slice(isTwice ? 2 * code.length + 2 : code.length);
	return code + rest.replace(dialed, (_, area) => (typeof area === 'string' ? `9${area}` : ''));
}

/** The most digits after a calling code, if it is not 9. */
const mostDigits = new Map(
	Object.entries({
		8: '45 47 65 852 853 965 968 973 974',
		10: '1 20 225 229 234 243 263 30 353 358 378 44 52 53 57 58 60 63 64 685 7 81 82 84 850 856 880 90 91 92 964 976 977 98',
		11: '31 352 379 54 55 86 886',
		12: '381 383 39 62 972',
		13: '43',
		15: '49 870 881 882 883',
	}).flatMap(([most, codes]) => codes.split(' ').map((code) => [code, Number(most)] as const)),
);

/** Whether the number has more digits than any in its country. */
export function isTooLong(digits: string): boolean {
	const known = [1, 2, 3]
		.map((length) => digits.slice(0, length))
		.find((one) => mostDigits.has(one));
	const code = known ?? callingCodeOf(digits);
	return (
		digits.length > Math.min(15, code.length + (mostDigits.get(code) ?? (code === '' ? 15 : 9)))
	);
}

/** Whether numbers with this calling code can exist: those of a country, and of satellites. */
export function isAssigned(digits: string): boolean {
	return countryOf(digits) !== undefined || /^(?:870|88[123])/.test(digits);
}

/** Calling codes of countries with mobile numbers that begin with 9, by the length of the number. */
const codesBeforeNine: Record<number, string> = {
	8: '216 223 227 228 232 235 252 356 357 374 385 45 47 504 598 599 65 852 855 965 968 976',
	9: '211 218 243 244 245 249 251 252 260 265 34 351 359 380 385 421 51 56 593 595 66 84 855 886 963 992 994 996 998',
	10: '1 234 30 52 55 57 63 7 81 91 977 98',
};

/** Whether digits without country code can be a mobile number of that country. */
export function isAtHomeIn(code: string, digits: string): boolean {
	const codes = codesBeforeNine[digits.length]?.split(' ') ?? [];
	return codes.some((one) => one.startsWith(code) || code.startsWith(one));
}

const notACode = declareError(
	'Allowed Country Codes: <value> is not a country code',
	'Separate country codes with commas, such as 95, 65.',
);

/**
 * Option Allowed Country Codes: the leading digits that phone numbers may have.
 * @throws InputError
 */
export function readCountryCodes(value: unknown): string[] {
	const text = String(value ?? '');
	const codes = text.split(/[\s,;]+/).filter((code) => code !== '');
	if (codes.length > 0 && codes.every((code) => /^\+?[1-9]\d{0,6}$/.test(code))) {
		return codes.map((code) => code.replace('+', ''));
	}
	throw notACode('allowedCountryCodes', { value: text });
}

/** @param number as `normalizePhoneNumber` returns it */
export function startsWithOneOf(number: string, countryCodes: string[]): boolean {
	const digits = number.replace('+', '');
	return countryCodes.some((code) => digits.startsWith(code));
}
