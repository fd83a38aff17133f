import type { FailureClass } from './types'

type Words = { what: string; next: string }

/** Each class of failure in a few words, and what its owner does next. */
const WORDS: Record<FailureClass, Words> = {
  input: { what: 'settings not accepted', next: 'Change the prompt and generate again.' },
  policy: { what: 'refused by the safety rules', next: 'Change the wording and generate again.' },
  busy: { what: 'the video service was too busy', next: 'Retry later.' },
  down: { what: 'the video service was not reachable', next: 'Retry later.' },
  token: { what: 'no access to the video service was left', next: 'Contact us.' },
  'time-out': { what: 'took too long', next: 'Retry.' },
  unknown: { what: 'lost by the video service', next: 'Retry.' },
  cancelled: { what: 'cancelled before they were sent', next: 'Start them again any time.' },
}

const isClass = (code: string): code is FailureClass => code in WORDS

/** What happened to videos that failed for this reason, and what to do about it. */
export const failureAdvice = (code: string): Words => WORDS[isClass(code) ? code : 'unknown']

/** Whether the same prompt may succeed when it is tried again. */
export const isWorthRetrying = (code: string): boolean => code !== 'policy' && code !== 'input'
