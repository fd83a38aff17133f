import { plainDigits } from '~/lib/digits'

export const PHONE_LIMITS = {
  characters: 8,
  /** The digits of an international number (E.164). */
  digits: 15,
  /** The same, preceded by 00. */
  maxDigits: 17,
} as const

/** What a text from a form, a spreadsheet or a chat means as a username. */
export type ReadName = {
  name: string
  /** What was left out to get the name, as sentences. */
  notes: readonly string[]
  /** Why no account may be created under this text. It can still be looked for. */
  problem: string | null
}

const MOST_READ = 1000

/**
 * Reads a phone number or another username as people have it. Compatibility characters and digits of
 * other scripts become plain ones, and formatting characters are removed. A text with a digit and no
 * letter is a phone number and is reduced to its digits, so that '+92 300-1234567' and
 * '923001234567' are the same person (decision Q-29). What a spreadsheet or a chat adds to a number
 * is left out: a formula's quotation marks, an apostrophe, `.0`, an extension, words beside it, the
 * address of a chat with it. Any other name is trimmed and converted to lower case.
 */
export function readName(given: string): ReadName {
  // No name is nearly as long, and each step below reads the text once more.
  const typed = given.slice(0, MOST_READ)
  const text = plainDigits(typed.normalize('NFKC').replace(/\p{Cf}/gu, '')).trim()
  const plain = CHAT_LINK.exec(text)?.[1] ?? text
  const cell = withoutCellSigns(plain)
  const name = literalName(plain)
  const refused = (problem: string): ReadName => ({ name, notes: [], problem })
  if (/^#{3,}$/.test(cell)) return refused(TOO_NARROW)
  if (SHORTENED.test(cell)) return refused(NUMBER_SHORTENED)
  if (cell.split(BETWEEN_NUMBERS).filter(isLikeNumber).length > 1) return refused(TWO_NUMBERS)
  const { text: rest, notes } = withoutAdditions(cell)
  const number = rest === cell ? name : literalName(rest)
  const digits = number.replace(/^00/, '')
  const isTooLong = /^\d+$/.test(number) && digits.length > PHONE_LIMITS.digits
  return { name: number, notes, problem: isTooLong ? TOO_MANY_DIGITS : null }
}

/** Returns the canonical form of a username (`readName`). */
export const normalizeUsername = (typed: string): string => readName(typed).name

const NUMBER_SHORTENED =
  'A spreadsheet has shortened this number. Format its column as text, and type the number in full'
const TOO_NARROW =
  'A spreadsheet wrote # in place of this value. Make its column wider, and copy it again'
const TWO_NUMBERS = 'There are two numbers in this field. Keep one of them'
const TOO_MANY_DIGITS = `A phone number has at most ${PHONE_LIMITS.digits} digits`

/** A number as a spreadsheet shortens it: 9.23001E+11, and 9,23E+11 in other languages. */
const SHORTENED = /^\d+(?:[.,٫]\d+e[+-]?|e\+)\d+$/i
/** The address of a chat with a number, as WhatsApp writes it. */
const CHAT_LINK =
  /^(?:https?:\/\/)?(?:wa\.me\/|api\.whatsapp\.com\/send\/?\?phone=)(\+?\d[\d\s().-]*)(?:[/?&].*)?$/i
/** What stands between two numbers in one cell. */
const BETWEEN_NUMBERS = /[/,;&|\n\r\t]|\s(?:or|and)\s/i
const isLikeNumber = (text: string) => text.replace(/\D/g, '').length >= 7

/** Digits and symbols become digits; any other text is trimmed and converted to lower case. */
function literalName(text: string): string {
  const plain = text.trim()
  if (/\d/.test(plain) && !/\p{L}/u.test(plain)) return plain.replace(/\D/g, '')
  return plain.toLowerCase().normalize('NFKC')
}

/** Removes what keeps a spreadsheet from reading a number: `="…"`, and an apostrophe before it. */
function withoutCellSigns(text: string): string {
  const [, inside] = /^[\s='"’‘`]*([+(]?\d.*)$/s.exec(text) ?? []
  return inside === undefined
    ? text
    : inside
        .trimEnd()
        .replace(/["'’]{1,3}$/, '')
        .trimEnd()
}

/** Zeros after a decimal separator: a spreadsheet has read the number as a quantity. */
const DECIMALS = /^(\+?\d[\d\s()-]{6,})[.,٫]0{1,2}$/
const EXTENSION = /(?<=\d)[\s,;]*(?:ext(?:ension|n)?|x)[\s.:]*\d{1,6}$/i
/** A phone number beside words. A number that touches a letter belongs to a name, such as ali03001234567. */
const BESIDE_WORDS = /(?:^|(?<=[\s:([,;]))[+(]?\d[\d\s().-]*\d(?=$|[\s:()[\],;])/gu

/** Returns a phone number without what stands beside it, and what that was. Other texts stay. */
function withoutAdditions(text: string): { text: string; notes: string[] } {
  const whole = DECIMALS.exec(text)?.[1]
  if (whole !== undefined) return { text: whole, notes: [leftOut(text.slice(whole.length))] }
  if (!/\p{L}/u.test(text)) return { text, notes: [] }
  const extension = EXTENSION.exec(text)?.[0] ?? ''
  const rest = text.slice(0, text.length - extension.length)
  const numbers = [...rest.matchAll(BESIDE_WORDS)].filter(
    ([number]) => number.replace(/\D/g, '').length >= PHONE_LIMITS.characters,
  )
  const [found] = numbers
  if (!found || numbers.length > 1) return { text, notes: [] }
  const [number] = found
  const words = (rest.slice(0, found.index) + rest.slice(found.index + number.length)).trim()
  const beside = [words, extension.replace(/^[\s,;]+/, '')].filter((one) => one !== '')
  return { text: number, notes: beside.map(leftOut) }
}

const leftOut = (words: string) => `"${words}" is not part of the number and is left out`

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

/** A letter that looks like a digit: O, l, I and dotless i, and S, B, Z in fewer fonts. */
const TWIN_OF_DIGIT = /^[\doliısbz|]+$/iu

/**
 * Returns whether letters stand for digits of a phone number. Names such as lolo2020 and bob12345 are
 * none: they begin with letters, and half of a number's digits are missing.
 */
function hasDigitTwin(name: string): boolean {
  const bare = name.replace(/[+().\s-]/g, '')
  const digits = bare.replace(/\D/g, '').length
  if (!TWIN_OF_DIGIT.test(bare) || digits === bare.length) return false
  const isLong = bare.length >= PHONE_LIMITS.characters
  return digits >= 6 || (isLong && digits >= 3 && /^\d/.test(bare))
}

/** Letters of names that are no letter of a to z with a mark. */
const OWN_LETTERS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ł: 'l',
    ø: 'o',
    đ: 'd',
    ð: 'd',
    ħ: 'h',
    ŧ: 't',
    ß: 'ss',
    æ: 'ae',
    œ: 'oe',
    þ: 'th',
    ə: 'e',
    ŋ: 'n',
    ɛ: 'e',
    ɔ: 'o',
  }),
)

/** Returns a name with the letters a to z in place of those with accents, as people read it. */
export const withoutAccents = (name: string): string =>
  name
    .normalize('NFD')
    .replace(/(?<=[a-z])\p{M}+/gu, '')
    .normalize('NFC')
    .replace(/[łøđðħŧßæœþəŋɛɔ]/g, (letter) => OWN_LETTERS.get(letter) ?? letter)

/** What is said of a name that is another user's with accents. */
export const twinProblem = (plain: string): string =>
  `There is a user ${plain}. With accents this name could be mistaken for it`

/** Other forms of Latin letters, such as the dotless i and small capitals, and loose marks. */
const LATIN_TWIN = /(?![a-z])\p{Script=Latin}/u
const LOOSE_MARK = /[a-z\d]\p{M}/u
/** Names of which an accent must not make a second one. */
const OFFICIAL = /^(?:admin|administrator|editor|moderator|support|help|staff|system|root)(?![a-z])/
/** Signs that look like those of a keyboard, such as a long dash, and more than one space. */
const SIGN_TWIN = /[^\p{L}\p{M}\p{N}\x20-\x7e]|\s\s/u

/** Only Cyrillic and Greek letters that look like Latin ones (from Unicode's confusables). */
const ONLY_TWINS = /^[\P{L}абвгеіјӏкмнорсԛѕтԝухһԁзүѵαβγικνορστυχωϲϳ]+$/u

/**
 * Returns why a name is unreadable or could be mistaken for another, or null if it is acceptable.
 */
export function nameProblem(name: string): string | null {
  if (hasDigitTwin(name)) return 'This looks like a phone number, but has a letter in it'
  if (UNSEEN.test(name)) return 'This name contains invisible characters'
  const read = withoutAccents(name)
  const isOfficial = read !== name && OFFICIAL.test(read)
  if (LOOSE_MARK.test(name) || LATIN_TWIN.test(read) || isOfficial)
    return 'Write the name with the letters a to z, without accents'
  if (SIGN_TWIN.test(name))
    return 'Write the name with the signs of a keyboard, such as a short hyphen, and single spaces'
  if (!ALPHABETS.some((alphabet) => alphabet.test(name))) {
    return 'Write the name in the letters of one alphabet'
  }
  const hasTwins = /\p{L}/u.test(name) && !/\p{Script=Latin}/u.test(name) && ONLY_TWINS.test(name)
  return hasTwins ? 'This name looks like another in Latin letters' : null
}
