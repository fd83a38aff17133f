import { isLongerThan } from '~/lib/text'
import { VIDEO_LIMITS } from '../videos/rules'
import { roleOf } from './prompt-headings'
import { withoutListSigns } from './rules'

/** Why a row of a list is probably no prompt, or not as it should be. */
export const MARKS = ['heading', 'duplicate', 'link', 'stamp', 'sign', 'long'] as const
export type Mark = (typeof MARKS)[number]

const D = String.raw`\p{Nd}`
const MONTH = String.raw`\p{L}{3,9}\.?`
const DAY = String.raw`(?:${D}{1,4}[./-]${D}{1,2}[./-]${D}{1,4}|${D}{1,2} ${MONTH} ${D}{4}|${MONTH} ${D}{1,2}, ${D}{4})`
const SHORT_DAY = String.raw`${D}{1,2}[./-]${D}{1,2}`
const TIME = String.raw`${D}{1,2}[:.]${D}{2}(?:[:.]${D}{2})?(?:\s?(?:[ap]\.?\s?m\.?|[صم])(?!\p{L}))?`
/** Between a day and a time. */
const AND = String.raw`[,،]?\s+(?:at\s+)?`
const NAME = String.raw`[^:\n[\]]{1,40}`
/**
 * What a chat writes before a message. WhatsApp: `[12/05/2026, 10:33] Ali: `, `12.05.26, 10:33 - Ali: `,
 * and when it is copied `[10:33, 12/05/2026] Ali: `. Telegram: `Ali, [12.05.2026 10:33]:`. Without a year
 * only in brackets, `[12/05, 10:33] Ali: `, and without a day only before a name, `[10:33] Ali: `.
 */
const STAMP = new RegExp(
  [
    String.raw`^[\u200e\u200f\u202a-\u202e]*(?:`,
    String.raw`(?:\[?(?:${DAY}${AND}${TIME}|${TIME}[,،]\s+${DAY})\]?|\[${SHORT_DAY}${AND}${TIME}\])`,
    String.raw`\s*(?:[-–]\s*)?(?:${NAME}:(?:\s|$))?`,
    String.raw`|\[${TIME}\]\s*${NAME}:(?:\s|$)`,
    String.raw`|${NAME}[,،]\s\[${DAY}${AND}${TIME}\]:?`,
    ')',
  ].join(''),
  'iu',
)
/** What a chat writes in place of a message. */
const NO_MESSAGE =
  /^[\u200e\u200f]*(?:<[^<>]{1,30} omitted>|(?:image|video|audio|sticker|gif|document|contact card) omitted|(?:this message was|you) deleted(?: this message)?\.?|messages and calls are end-to-end encrypted\b.*)$/i
const LINK = /\bhttps?:\/\/\S|\bwww\.\S/i
const LONGEST_TITLE = 60

/**
 * Returns a prompt without the stamp of a chat. Returns '' for a line that is only a stamp, and for one
 * that a chat has written in place of a message.
 */
export function withoutStamp(text: string): string {
  const rest = text.replace(STAMP, '').trim()
  return NO_MESSAGE.test(rest) ? '' : rest
}

const isHeading = (text: string) =>
  ['prompt', 'likely'].includes(roleOf(text)) ||
  /^#{1,6}\s/.test(text) ||
  (text.endsWith(':') && text.length <= LONGEST_TITLE)

/** A prompt, and the settings that its row has of its own. */
type Row = { prompt: string; own?: object }

/**
 * Returns the marks of each row of a list, in its order. Of rows with equal prompts and settings the first
 * has no mark.
 */
export function marksOf(rows: readonly Row[]): Mark[][] {
  const seen = new Set<string>()
  return rows.map(({ prompt: text, own = {} }) => {
    const message = withoutStamp(text)
    const words = withoutListSigns(message).toLowerCase().replace(/\s+/g, ' ')
    const key = JSON.stringify([words, own])
    const isAgain = words !== '' && seen.has(key)
    seen.add(key)
    const is: Record<Mark, boolean> = {
      heading: isHeading(message),
      duplicate: isAgain,
      link: LINK.test(text),
      stamp: message !== text.trim(),
      sign: withoutListSigns(message) !== message,
      long: isLongerThan(text, VIDEO_LIMITS.promptCharacters),
    }
    return MARKS.filter((mark) => is[mark])
  })
}
