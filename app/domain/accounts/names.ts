import { LIMITS } from './rules'

/**
 * The one form of a name, for phone numbers and others alike: compatibility forms and other scripts'
 * digits become plain ones, signs that only format are dropped. What has a digit and no letter is a
 * phone number and keeps its digits, so that '+92 300-1234567' and '923001234567' are the same person
 * (decision Q-29); anything else is trimmed and lower case.
 */
export function normalizeUsername(typed: string): string {
  const plain = typed
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/\p{Nd}/gu, asciiDigit)
    .trim()
  if (/\d/.test(plain) && !/\p{L}/u.test(plain)) return plain.replace(/\D/g, '')
  return plain.toLowerCase().normalize('NFKC')
}

/** Unicode keeps the digits of a script in runs of ten, from 0 to 9 (Unicode standard, §4.6). */
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0
  let value = 0
  while (/\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value++
  return String(value % 10)
}

export type NameForms = {
  /** What a new account is called. */
  stored: string
  /** Every form under which an account of the same person may be stored, the likeliest first. */
  forms: readonly string[]
}

/**
 * What a typed name may be called in the tables. With a country code (digits), a number with the
 * trunk 0, with 00 and the code, and with the code alone are one; without one they are different
 * people. Accounts that were made before that rule keep their names and are found all the same.
 */
export function nameForms(typed: string, countryCode: string | null): NameForms {
  const name = normalizeUsername(typed)
  const asBefore = typed.trim().toLowerCase()
  if (countryCode === null || !/^\d+$/.test(name)) {
    return { stored: name, forms: [...new Set([asBefore, name])] }
  }
  const stored = withCountryCode(name, countryCode)
  const national = stored.startsWith(countryCode) ? stored.slice(countryCode.length) : null
  const others = national === null ? [] : [`0${national}`, `${countryCode}0${national}`]
  return { stored, forms: [...new Set([asBefore, name, stored, ...others, `00${stored}`])] }
}

/** '0300…', '0092300…' and '920300…' as '92300…'; what would become too short stays as it is. */
function withCountryCode(digits: string, code: string): string {
  const abroad = digits.startsWith('00')
    ? digits.slice(2)
    : digits.startsWith('0')
      ? code + digits.slice(1)
      : digits
  const full = abroad.startsWith(`${code}0`) ? code + abroad.slice(code.length + 1) : abroad
  return full.length >= LIMITS.phoneCharacters ? full : digits
}

/** Control signs, ignorable ones, and two that fonts draw as nothing. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800]/u

/** Letters of the scripts that names come in. A name is written in one of them. */
const ALPHABETS = [
  /^[\p{Script=Latin}\P{L}]*$/u,
  /^[\p{Script=Arabic}\P{L}]*$/u,
  /^[\p{Script=Cyrillic}\P{L}]*$/u,
  /^[\p{Script=Greek}\P{L}]*$/u,
  /^[\p{Script=Hebrew}\P{L}]*$/u,
  /^[\p{Script=Devanagari}\P{L}]*$/u,
  /^[\p{Script=Bengali}\P{L}]*$/u,
  /^[\p{Script=Gurmukhi}\P{L}]*$/u,
  /^[\p{Script=Gujarati}\P{L}]*$/u,
  /^[\p{Script=Tamil}\P{L}]*$/u,
  /^[\p{Script=Telugu}\P{L}]*$/u,
  /^[\p{Script=Thai}\P{L}]*$/u,
  /^[\p{Script=Georgian}\P{L}]*$/u,
  /^[\p{Script=Ethiopic}\P{L}]*$/u,
  /^[\p{Script=Hangul}\P{L}]*$/u,
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー\P{L}]*$/u,
]

/** Nothing but Cyrillic and Greek letters that look like Latin ones (from Unicode's confusables). */
const ONLY_TWINS = /^[\P{L}абвгеіјӏкмнорсԛѕтԝухһԁзүѵαβγικνορστυχωϲϳ]+$/u

/** Why a name could be taken for another or not be read, in words; null for a good one. */
export function nameProblem(name: string): string | null {
  if (UNSEEN.test(name)) return 'This name contains signs that cannot be seen'
  if (!ALPHABETS.some((alphabet) => alphabet.test(name))) {
    return 'Write the name in the letters of one alphabet'
  }
  const hasTwins = /\p{L}/u.test(name) && !/\p{Script=Latin}/u.test(name) && ONLY_TWINS.test(name)
  return hasTwins ? 'This name looks like another in Latin letters' : null
}
