import type { Rewrite, TextProblem } from '~/platform/texts/port'
import { figure } from '~/lib/figures'
import { isCleanText, isLongerThan, linesOf, trimText } from '~/lib/text'
import { isJsonObject, withoutListSigns } from '../batches/rules'
import { VIDEO_LIMITS } from '../videos/rules'
import { isForList } from './pasted-text'

// What a text service makes of prompts. Its answers are dirty: what can be mended is mended and said, and
// the rest is no answer.

export const REWRITES = ['translate', 'improve'] as const satisfies readonly Rewrite[]

export const REWRITE_LABELS: Readonly<Record<Rewrite, string>> = {
  translate: 'Translate to English',
  improve: 'Improve',
}

/** The most prompts and characters that one press sends. */
export const REWRITE_LIMITS = { prompts: 100, characters: 60_000 } as const

/** One prompt of a preview: what it may become and what was mended in that, or why it stays as it is. */
export type RewriteRow = { before: string } & (
  { after: string; notes: string[] } | { after: null; why: string }
)

const OPERATOR = 'Only the operator of this site can change that.'

/** Why nothing came, in the user's words. */
export const TEXT_PROBLEMS: Readonly<Record<TextProblem, string>> = {
  slow: 'The text service did not answer in time. Try again, or with fewer prompts.',
  away: 'The text service cannot be reached now. Try again in a few minutes.',
  key: `The text service does not accept this site’s key. ${OPERATOR}`,
  money: `This site’s account at the text service has no credit left. ${OPERATOR}`,
  busy: 'The text service gets too many requests now. Try again in a minute.',
  declined: 'The text service refuses to work on this text.',
  error: 'The text service answered with an error. Try again in a few minutes.',
  unreadable: 'The text service answered something that cannot be read. Try again.',
  cut: 'The answer of the text service was cut off. Try again, or with fewer prompts.',
}

/** Returns why a prompt is not sent, or null. */
export function whyNotSent(prompt: string): string | null {
  if (prompt === '') return 'Please enter a prompt first.'
  if (isJsonObject(prompt)) return 'JSON objects are not rewritten.'
  if (!isLongerThan(prompt, VIDEO_LIMITS.promptCharacters)) return null
  return `It has more than ${figure(VIDEO_LIMITS.promptCharacters)} characters.`
}

/** Returns what an answer makes of a prompt. Undefined: the service has left it out. */
export function readRewrite(before: string, answer: string | undefined, act: Rewrite): RewriteRow {
  if (answer === undefined) return { before, after: null, why: 'The answer leaves this one out.' }
  const { text, notes } = mended(before, answer)
  const why = whyUnusable(before, text, act)
  return why === null ? { before, after: text, notes } : { before, after: null, why }
}

const TAG = /<\/?[a-z][^<>]*>/gi
const FENCE = /^```\w*\s*\n?|\n?```$/g

/** Each takes away what a model adds to a prompt that has nothing like it. */
const MENDS: readonly [name: string, mend: (text: string) => string][] = [
  ['Markup', (text) => trimText(text.replace(FENCE, '').replace(TAG, ''))],
  ['Line breaks', (text) => linesOf(text).map(trimText).filter(Boolean).join(' ')],
  ['Numbers, bullets or quotation marks around it', withoutListSigns],
]

function mended(before: string, answer: string) {
  const plain = trimText(answer.replace(/\r\n?/g, '\n').replace(/\t/g, ' '))
  return MENDS.reduce<{ text: string; notes: string[] }>(
    ({ text, notes }, [name, mend]) => {
      const next = mend(before) === before ? mend(text) : text
      return { text: next, notes: next === text ? notes : [...notes, `${name} removed.`] }
    },
    { text: plain, notes: [] },
  )
}

/** How models begin when they do not do as they were asked. */
const EXCUSE =
  /^(?:(?:i['’]?m|i am) (?:sorry|unable|not able)|i (?:cannot|can['’]?t|won['’]?t)\b|sorry[,.]|as an ai\b|unfortunately,? i\b)/i

function whyUnusable(before: string, text: string, act: Rewrite): string | null {
  const most = VIDEO_LIMITS.promptCharacters
  if (text === '') return 'The answer is empty.'
  if (!isCleanText(text)) return 'The answer has characters that cannot be stored.'
  if (isLongerThan(text, most)) return `The answer has more than ${figure(most)} characters.`
  if (text === before) return 'There is nothing to change.'
  if (EXCUSE.test(text) && !EXCUSE.test(before)) return TEXT_PROBLEMS.declined
  if (isLatin(text) !== (act === 'translate' || isLatin(before)))
    return act === 'translate'
      ? 'The answer is not in English.'
      : 'The answer is in another language.'
  // In the box it would be read as several prompts, or as a table.
  if (isJsonObject(text) || (isForList(text) && !isForList(before)))
    return 'The answer has brackets or cells, which are no plain prompt.'
  return null
}

/** Whether most letters of a text are Latin ones. What has no letters is in any language. */
function isLatin(text: string): boolean {
  const latin = text.match(/\p{Script=Latin}/gu)?.length ?? 0
  const all = text.match(/\p{L}/gu)?.length ?? 0
  return latin * 2 >= all
}
