import { linesOf, trimText } from '~/lib/text'
import { MOST_LINE_CHARACTERS } from '~/lib/text-limits'
import { withoutStamp } from './chat-stamps'
import { hasPlace, hasVariants } from './wording'

/** Maximum size of an uploaded prompt file, and what is said of a larger one. */
export const PROMPT_FILE_BYTES = 900 * 1024
export const PROMPT_FILE_TOO_LARGE = 'The file is larger than 900 kB'

/**
 * Returns whether a text in the box is to be looked through before it is ordered: it has the cells of a
 * spreadsheet, messages of a chat, variants, which make more prompts than it has lines, or places to fill in.
 * A line of too many characters is none of these: it is refused as a prompt.
 */
export const isForList = (text: string): boolean =>
  hasCells(text) ||
  linesOf(text).some(
    (line) =>
      line.length <= MOST_LINE_CHARACTERS &&
      (hasVariants(line) || hasPlace(line) || withoutStamp(line.trim()) !== line.trim()),
  )

/**
 * Returns whether a text has the cells of a spreadsheet: a tab within a line that is not JSON, or, as
 * in the cells of one column, a line break or doubled quotation marks within quotation marks.
 */
export const hasCells = (text: string): boolean =>
  linesOf(text).some((line) => hasTab(line) || hasDoubledMarks(line)) || hasQuotedBreak(text)

const hasTab = (line: string) => trimText(line).includes('\t') && !/^\s*[{[]/.test(line)

/** Whether a line is one cell such as `"He said ""go"" and ran"`. */
const hasDoubledMarks = (line: string) =>
  line.slice(1, -1).includes('""') && /^"(?:[^"]|"")*"\s*$/.test(line)

/** Whether a line begins with a quotation mark that is closed at the end of a later line. */
function hasQuotedBreak(text: string): boolean {
  const lines = linesOf(text)
  const opens = (line: string) => line.startsWith('"') && isOdd(line)
  const isOdd = (line: string) => line.split('"').length % 2 === 0
  const start = lines.findIndex(opens)
  if (start < 0) return false
  const end = lines.findIndex((line, i) => i > start && isOdd(line))
  return end > 0 && (lines[end] ?? '').trimEnd().endsWith('"')
}
