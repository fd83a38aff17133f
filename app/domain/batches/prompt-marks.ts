import { isLongerThan } from '~/lib/text'
import { ORDER_TEXTS, TEXT_NAMES, type TextName } from '../videos/order-fields'
import { VIDEO_LIMITS } from '../videos/rules'

/** Why a row of a list is probably no prompt, or not as it should be. */
export const MARKS = ['heading', 'duplicate', 'link', 'stamp', 'long'] as const
export type Mark = (typeof MARKS)[number]

/** A heading of the column of prompts, without case, quotation marks, line breaks and underscores. */
const PROMPT_HEADING =
  /^(?:(?:video|text|image|ai|main|final|positive|full|your|the) )?prompts?(?: texts?| english| en)?$/
const RATIO_HEADING = /^(?:aspect ?ratio|ratio|aspect|orientation|format)$/

export type Role = 'prompt' | 'ratio' | TextName | 'other'

/** Returns what the column under a heading contains. */
export function roleOf(heading: string): Role {
  const words = heading
    .replace(/["'“”*:#]/g, '')
    .replace(/[\s_-]+/g, ' ')
    .trim()
    .toLowerCase()
  if (PROMPT_HEADING.test(words)) return 'prompt'
  if (RATIO_HEADING.test(words)) return 'ratio'
  return TEXT_NAMES.find((name) => ORDER_TEXTS[name].heading.test(words)) ?? 'other'
}

const DAY = String.raw`\d{1,4}[./-]\d{1,2}[./-]\d{1,4}`
const SHORT_DAY = String.raw`\d{1,2}[./-]\d{1,2}`
const TIME = String.raw`\d{1,2}[:.]\d{2}(?:[:.]\d{2})?(?:\s?[ap]\.?\s?m\.?)?`
/**
 * What a chat writes before a message: `[12/05/2026, 10:33] Ali: `, `[10:33, 12/05/2026] Ali: `,
 * `12.05.26, 10:33 - Ali: `. Without a year only in brackets: `[12/05, 10:33] Ali: `.
 */
const STAMP = new RegExp(
  String.raw`^[\u200e\u200f]*(?:\[?(?:${DAY},?\s+${TIME}|${TIME},\s+${DAY})\]?|\[${SHORT_DAY},?\s+${TIME}\])\s*(?:[-–]\s*)?(?:[^:\n]{1,40}:\s)?`,
  'iu',
)
const LINK = /\bhttps?:\/\/\S|\bwww\.\S/i
const LONGEST_TITLE = 60

/** Returns a prompt without the stamp of a chat. */
export const withoutStamp = (text: string): string => text.replace(STAMP, '').trim() || text

const isHeading = (text: string) =>
  roleOf(text) === 'prompt' ||
  /^#{1,6}\s/.test(text) ||
  (text.endsWith(':') && text.length <= LONGEST_TITLE)

/** Returns the marks of each prompt of a list, in its order. Of equal prompts the first has no mark. */
export function marksOf(prompts: readonly string[]): Mark[][] {
  const seen = new Set<string>()
  return prompts.map((text) => {
    const key = withoutStamp(text).toLowerCase().replace(/\s+/g, ' ')
    const isAgain = seen.has(key)
    seen.add(key)
    const is: Record<Mark, boolean> = {
      heading: isHeading(text),
      duplicate: isAgain,
      link: LINK.test(text),
      stamp: STAMP.test(text),
      long: isLongerThan(text, VIDEO_LIMITS.promptCharacters),
    }
    return MARKS.filter((mark) => is[mark])
  })
}
