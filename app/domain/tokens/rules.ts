import { plural } from '~/lib/figures'
import { dividedBy, headingReader, type HeadingTest } from '~/lib/table'
import { linesOf } from '~/lib/text'

export const NO_TOKEN = 'Please enter a token.'
export const NO_TOKENS = 'Please enter at least one token.'

/** Maximum length of a token in a list. */
const TOKEN_DISPLAY_CHARACTERS = 50
const MOST_SHOWN = 8
const DOT = '•'

/**
 * Masks a token for screens and API responses: its first characters (eight, or a quarter of a short
 * token), then dots, cut at 50 characters.
 */
export function maskToken(token: string): string {
  const shown = Math.min(MOST_SHOWN, Math.floor(token.length / 4))
  const length = Math.min(token.length, TOKEN_DISPLAY_CHARACTERS)
  const dots = DOT.repeat(Math.max(0, length - shown))
  return `${token.slice(0, shown)}${dots}${token.length > TOKEN_DISPLAY_CHARACTERS ? '…' : ''}`
}

const LAST = 4
/** Of a shorter token, the last characters would give too much away. */
const LONG_ENOUGH = 16
const KEY_ID = /"private_key_id"\s*:\s*"([^"]*)"/

/**
 * Returns the last four characters of a token, by which operators recognise it; '' of a short one.
 * A key file ends like any other, so its key id is used.
 */
export function lastFourOf(token: string): string {
  const text = token.startsWith('{') ? (KEY_ID.exec(token)?.[1] ?? '') : token
  return text.length < LONG_ENOUGH ? '' : text.slice(-LAST)
}

/** Returns whether a text is the mask of a token. */
export const isMask = (text: string): boolean => text.includes(DOT)

/**
 * Assigns tokens to users in turn, so that all tokens have equally many users, give or take one.
 */
export function assignInTurn<User, Token>(
  users: readonly User[],
  tokens: readonly [Token, ...Token[]],
): { user: User; token: Token }[] {
  return users.map((user, i) => ({ user, token: tokens[i % tokens.length] ?? tokens[0] }))
}

/** A line of a pasted list: `token`, or `token|label|account`. */
export type TokenLine = {
  line: number
  token: string
  label?: string
  account?: string
  /** The line as it was pasted, trimmed. */
  text: string
  /** Whether quotes, commas or the word Bearer were removed. */
  isCleaned: boolean
}

/** What spreadsheets and programs put around a field, apart from blanks. */
const AROUND = '"\'`“”‘’,;'
const BEARER = /^(authorization\s*:\s*)?bearer\s+/i
/** Some servers give tokens such as 12|x9f3…: the first field is a number. */
const NUMBERED = /^\d{1,8}\|/

const FIELDS = ['token', 'label', 'account'] as const

const fieldOf = headingReader([
  ['token', '(?:provider|api|bearer|access)?(?:token|key)s?'],
  ['label', '(?:token|key)?(?:label|name)|notes?'],
  ['account', '(?:provider)?accounts?|owner|e?mail'],
])
const isHeading: HeadingTest = (cells) => {
  const fields = new Set(cells.map(fieldOf).filter((field) => field !== null))
  return fields.has('token') && fields.size >= Math.min(2, cells.length)
}

/**
 * Reads a text of tokens, one per line, without blank lines, with their line numbers: `token|label|account`,
 * or the columns of a spreadsheet, which a heading may name in another order. What spreadsheets, programs and
 * headers put around a token is removed. A key file stays as it is.
 */
export function parseTokenLines(text: string): TokenLine[] {
  const { sign, isGiven, body } = dividedBy(text, [isHeading])
  const lines = linesOf(body).map((given) => given.trim())
  const heading = sign && lines.find((line) => isHeading(line.split(sign), sign))
  const columns = heading?.split(sign ?? '').map(fieldOf) ?? []
  const isNamed = columns.length > 1
  const layout = {
    // A heading of one column does not say what divides others.
    sign: (isGiven || isNamed) && sign ? sign : /[|\t]/,
    columns: isNamed ? columns : FIELDS,
  }
  return lines.flatMap((line, i) => {
    const one = readTokenLine(line, layout)
    return line === heading || one.token === '' ? [] : [{ line: i + 1, ...one }]
  })
}

/**
 * Returns a pasted token without what spreadsheets, programs and headers put around it. A key file
 * stays as it is.
 */
export function bareToken(text: string): string {
  const trimmed = text.trim()
  return trimmed.startsWith('{') ? trimmed : bareOf(bareOf(trimmed).replace(BEARER, ''))
}

/** Returns a text without quotes, separators and blanks around it. */
function bareOf(text: string): string {
  const isAround = (at: number) => AROUND.includes(text.charAt(at)) || /\s/.test(text.charAt(at))
  let [start, end] = [0, text.length]
  while (start < end && isAround(start)) start++
  while (end > start && isAround(end - 1)) end--
  return text.slice(start, end)
}

type Layout = { sign: string | RegExp; columns: readonly (string | null)[] }

function readTokenLine(text: string, { sign, columns }: Layout): Omit<TokenLine, 'line'> {
  const bare = bareToken(text)
  const isCleaned = bare !== text
  if (bare.startsWith('{')) return { token: bare, text, isCleaned }
  const number = columns[0] === 'token' ? (NUMBERED.exec(bare)?.[0] ?? '') : ''
  const cells = bare.slice(number.length).split(sign).map(bareToken)
  const [token = '', label, account] = FIELDS.map((name) => cells[columns.indexOf(name)])
  return {
    token: number + token,
    ...(label && { label }),
    ...(account && { account }),
    text,
    isCleaned,
  }
}

/** Returns a note on lines that were cleaned, or ''. */
export function cleanedText(lines: readonly TokenLine[]): string {
  const cleaned = lines.filter(({ isCleaned }) => isCleaned).length
  return cleaned === 0
    ? ''
    : `Quotes, commas or the word Bearer were removed from ${plural(cleaned, 'line')}.`
}

/**
 * Names the lines whose token an earlier line already has, because each token counts once. A long
 * list ends with the number of the others.
 */
export function repeatedLines(lines: readonly TokenLine[]): string[] {
  const firstLines = new Map<string, number>()
  const repeated: string[] = []
  for (const { line, token } of lines) {
    const first = firstLines.get(token)
    if (first === undefined) firstLines.set(token, line)
    else repeated.push(`Line ${line} repeats line ${first}`)
  }
  return cutList(repeated, (more) => `and ${plural(more, 'more line')}`)
}

/** Returns the message after a bulk add. */
export const additionsText = (added: number, failed: number): string =>
  failed === 0 ? `${added} added` : `${added} added, ${failed} failed`

/** Maximum number of lines that are named below the box. */
const MOST_NAMED = 10

const cutList = (lines: readonly string[], ofMore: (more: number) => string): string[] => {
  const more = lines.length - MOST_NAMED
  return more > 0 ? [...lines.slice(0, MOST_NAMED), ofMore(more)] : [...lines]
}

/**
 * Lists why the lines left in the box of a bulk add were rejected, numbered by their position
 * there.
 */
export function refusedLines(problems: readonly string[]): string[] {
  const lines = problems.map((problem, i) => `Line ${i + 1}: ${problem}`)
  return cutList(lines, (more) => `${plural(more, 'more line')} could not be added`)
}

type PoolMeaning = { needsCredential: boolean; hasDefault: boolean }

/**
 * Returns the text for an empty pool. It depends on the provider and on the platform's own token.
 */
export function emptyPoolText({ needsCredential, hasDefault }: PoolMeaning): string {
  if (!needsCredential)
    return 'The pool is empty. The provider in use needs no tokens: videos are made without them.'
  if (hasDefault)
    return 'The pool is empty. Users without a token of their own use the platform’s default token; nothing takes over when that one dies.'
  return 'The pool is empty. Videos of users without a token of their own wait until one is added.'
}

/** Returns how long `living` tokens last if as many die each day as did today, as a sentence. */
export function lastsText(living: number, deathsPerDay: number, total = living): string {
  if (total === 0) return 'Tokens of the pool take over for those that expire or are refused.'
  if (living === 0) return 'No live token is left in the pool.'
  if (deathsPerDay <= 0) return 'No token has died in the last 24 hours.'
  const days = living / deathsPerDay
  const died = `${deathsPerDay} died in the last 24 hours`
  if (days < 1)
    return `The pool lasts about ${Math.max(1, Math.round(days * 24))} hours at today’s pace (${died}).`
  const whole = Math.floor(days)
  return `The pool lasts about ${plural(whole, 'day')} at today’s pace (${died}).`
}
