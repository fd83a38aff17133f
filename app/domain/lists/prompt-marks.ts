import { isLongerThan } from '~/lib/text'
import { VIDEO_LIMITS } from '../videos/rules'
import { withoutStamp } from './chat-stamps'
import { roleOf } from './prompt-headings'
import { withoutListSigns } from '../batches/rules'
import type { OwnSettings } from '../batches/types'
import type { Mark } from './types'
import { hasPlace } from './wording'

/** All marks, in the order in which a list's page names them. */
export const MARKS = [
  'heading',
  'duplicate',
  'link',
  'stamp',
  'sign',
  'place',
  'gap',
  'long',
] as const satisfies readonly Mark[]

const LINK = /\bhttps?:\/\/\S|\bwww\.\S/i
const LONGEST_TITLE = 60

const isHeading = (text: string) =>
  ['prompt', 'likely'].includes(roleOf(text)) ||
  /^#{1,6}\s/.test(text) ||
  (text.endsWith(':') && text.length <= LONGEST_TITLE)

/** A prompt, what its row has of its own, and whether a cell in it is empty. */
type Row = { prompt: string; own?: OwnSettings; hasGap?: boolean }

/**
 * Returns the marks of each row of a list, in its order. Of rows with equal prompts and settings the first
 * has no mark, whatever they are called.
 */
export function marksOf(rows: readonly Row[]): Mark[][] {
  const seen = new Set<string>()
  return rows.map(({ prompt: text, own = {}, hasGap = false }) => {
    const message = withoutStamp(text)
    const words = withoutListSigns(message).toLowerCase().replace(/\s+/g, ' ')
    const { name: _, ...settings } = own
    const key = JSON.stringify([words, settings])
    const isAgain = words !== '' && seen.has(key)
    seen.add(key)
    const is: Record<Mark, boolean> = {
      heading: isHeading(message),
      duplicate: isAgain,
      link: LINK.test(text),
      stamp: message !== text.trim(),
      sign: withoutListSigns(message) !== message,
      place: hasPlace(text),
      gap: hasGap,
      long: isLongerThan(text, VIDEO_LIMITS.promptCharacters),
    }
    return MARKS.filter((mark) => is[mark])
  })
}
