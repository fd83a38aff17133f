import { plainDigits } from '~/lib/digits'
import { LIMITS } from './rules'

/**
 * Returns the canonical form of a username. Compatibility characters and digits of other scripts
 * become plain ones, and formatting characters are removed. A name with a digit and no letter is a
 * phone number and is reduced to its digits, so that '+92 300-1234567' and '923001234567' are the
 * same person (decision Q-29). Any other name is trimmed and converted to lower case.
 */
export function normalizeUsername(typed: string): string {
  const plain = plainDigits(typed.normalize('NFKC').replace(/\p{Cf}/gu, '')).trim()
  if (/\d/.test(plain) && !/\p{L}/u.test(plain)) return plain.replace(/\D/g, '')
  return plain.toLowerCase().normalize('NFKC')
}

export type NameForms = {
  /** The username of a new account. */
  stored: string
  /** All forms under which an account of the same person may be stored, most likely first. */
  forms: readonly string[]
}

/**
 * Returns the forms under which a typed name may be stored. With a country code (digits), a number
 * with the trunk prefix 0, with 00 and the code, or with the code alone are the same. Without one
 * they are different accounts. Accounts created before this rule keep their names and are still
 * found.
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

/**
 * Rewrites '0300…', '0092300…' and '920300…' as '92300…'. A number that would become too short is
 * not changed.
 */
function withCountryCode(digits: string, code: string): string {
  const abroad = digits.startsWith('00')
    ? digits.slice(2)
    : digits.startsWith('0')
      ? code + digits.slice(1)
      : digits
  const full = abroad.startsWith(`${code}0`) ? code + abroad.slice(code.length + 1) : abroad
  return full.length >= LIMITS.phoneCharacters ? full : digits
}

/** Control characters, default-ignorable characters, and U+2800, which fonts render as blank. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800]/u

/** Patterns for names whose letters all belong to one script. A name must match one of them. */
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

/** Whether letters stand for digits of a number: O for 0, l, I and dotless i for 1. */
function hasDigitTwin(name: string): boolean {
  const bare = name.replace(/[+().\s-]/g, '')
  const digits = bare.replace(/\D/g, '').length
  return digits >= 6 && digits < bare.length && /^[\doliı|]+$/iu.test(bare)
}

/** Letters of the Latin script that look like others: dotless i and j, script a and g, clicks. */
const LATIN_TWIN = /[ıȷɑɡɩǀ]/u

/** Only Cyrillic and Greek letters that look like Latin ones (from Unicode's confusables). */
const ONLY_TWINS = /^[\P{L}абвгеіјӏкмнорсԛѕтԝухһԁзүѵαβγικνορστυχωϲϳ]+$/u

/**
 * Returns why a name is unreadable or could be mistaken for another, or null if it is acceptable.
 */
export function nameProblem(name: string): string | null {
  if (hasDigitTwin(name)) return 'This looks like a phone number, but has a letter in it'
  if (LATIN_TWIN.test(name)) return 'This name looks like another in Latin letters'
  if (UNSEEN.test(name)) return 'This name contains invisible characters'
  if (!ALPHABETS.some((alphabet) => alphabet.test(name))) {
    return 'Write the name in the letters of one alphabet'
  }
  const hasTwins = /\p{L}/u.test(name) && !/\p{Script=Latin}/u.test(name) && ONLY_TWINS.test(name)
  return hasTwins ? 'This name looks like another in Latin letters' : null
}
