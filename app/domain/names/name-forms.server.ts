import { getRegionCodeForCountryCode, parsePhoneNumber } from 'awesome-phonenumber'
import { plainDigits } from '~/lib/digits'
import { normalizeUsername, PHONE_LIMITS } from './names'

/**
 * The calling codes of the operator's countries, as digits. The first is the default for numbers that
 * are written without a code and fit none of the countries. Empty for none.
 */
export type PhoneCountries = readonly string[]

export type NameForms = {
  /** The username of a new account. */
  stored: string
  /** All forms under which an account of the same person may be stored, most likely first. */
  forms: readonly string[]
}

/**
 * Returns the forms under which a typed name may be stored. With the codes of one or more countries, a
 * number as it is written in such a country, with or without its trunk prefix, and the same number
 * with 00 or + and the code are one account. Without codes they are different accounts. Accounts
 * created before this rule keep their names and are still found.
 */
export function nameForms(typed: string, countries: PhoneCountries): NameForms {
  const name = normalizeUsername(typed)
  const asBefore = typed.trim().toLowerCase()
  const [first] = countries
  if (first === undefined || !/^\d+$/.test(name)) {
    return { stored: name, forms: [...new Set([asBefore, name])] }
  }
  const hasPlus = plainDigits(typed.normalize('NFKC'))
    .replace(/[^+\d]/g, '')
    .startsWith('+')
  const stored = withCode(name, { countries, first, hasPlus })
  return { stored, forms: [...new Set([asBefore, name, stored, ...others()])] }

  /** Forms of accounts that were created without codes, or with only one. */
  function others(): string[] {
    const code = codeOf(stored, countries)
    const national = code === undefined ? null : stored.slice(code.length)
    const before =
      national === null
        ? []
        : [`0${national}`, `${code}0${national}`, ...(isPhone(stored) ? [national] : [])]
    const asFirst = `${first}${name.slice(1)}`
    const isFirstWrong = name.startsWith('0') && !name.startsWith('00') && !isPhone(asFirst)
    return [...before, `00${stored}`, ...(isFirstWrong ? [asFirst] : [])]
  }
}

/** Returns whether digits are a complete number with its country code, of any country. */
export function isPhone(digits: string): boolean {
  if (!/^[1-9]\d{6,14}$/.test(digits)) return false
  const { valid, number } = parsePhoneNumber(`+${digits}`)
  // The library also reads +92 (0) 300….
  return valid && number.e164 === `+${digits}`
}

/**
 * Returns whether a username looks like a phone number but cannot be called from abroad: it has no
 * country code, or a digit too few or too many. False if the operator named no countries.
 */
export const isDoubtfulPhone = (username: string, countries: PhoneCountries): boolean =>
  countries.length > 0 && /^\d+$/.test(username) && !isPhone(username)

const regionOf = (code: string): string => getRegionCodeForCountryCode(Number(code))

/** The code with which a number starts, preferably one with which it is complete. */
function codeOf(digits: string, countries: PhoneCountries): string | undefined {
  const starting = countries.filter((code) => digits.startsWith(code))
  return isPhone(digits) || starting.length < 2 ? starting[0] : starting.at(-1)
}

type Ways = { countries: PhoneCountries; first: string; hasPlus: boolean }

/**
 * Rewrites a number as it is written in one of the countries to the number with its code. A number
 * that would become too short is not changed.
 */
function withCode(digits: string, { countries, first, hasPlus }: Ways): string {
  const kept = (full: string) => (full.length >= PHONE_LIMITS.characters ? full : digits)
  if (hasPlus || digits.startsWith('00')) {
    return kept(withoutTrunk(digits.replace(/^00/, ''), countries))
  }
  const whole = withoutTrunk(digits, countries)
  const hasCode = countries.some((code) => whole.startsWith(code))
  if (hasCode && (whole !== digits || isPhone(digits))) return kept(whole)
  const fitting = firstOf(countries, (code) => inCountry(digits, code))
  if (fitting !== null) return kept(fitting)
  if (!digits.startsWith('0')) return digits
  const asFirst = withoutTrunk(first + digits, countries)
  // Such as 011 and another country's number, as it is dialled in North America.
  return isTooLong(asFirst) ? digits : kept(asFirst)
}

const isTooLong = (digits: string): boolean =>
  parsePhoneNumber(`+${digits}`).possibility === 'too-long'

/** +92 (0) 300… is +92 300…. In Italy the 0 belongs to the number. */
function withoutTrunk(digits: string, countries: PhoneCountries): string {
  const code = countries.find((one) => digits.startsWith(`${one}0`))
  return code === undefined || isPhone(digits) ? digits : code + digits.slice(code.length + 1)
}

/** Returns the number with its code if these digits are a number of this country, or null. */
function inCountry(digits: string, code: string): string | null {
  const { valid, number, countryCode } = parsePhoneNumber(digits, { regionCode: regionOf(code) })
  return valid && String(countryCode) === code ? number.e164.slice(1) : null
}

function firstOf<Item, Found>(
  items: readonly Item[],
  find: (item: Item) => Found | null,
): Found | null {
  for (const item of items) {
    const found = find(item)
    if (found !== null) return found
  }
  return null
}
