import type { FailureClass } from './types'

type Words = { what: string; next: string }

/** A short description of each failure class, and what the owner can do next. */
const WORDS: Record<FailureClass, Words> = {
  input: {
    what: 'not accepted by the video model',
    next: 'Change the prompt, its settings or its picture and generate again.',
  },
  policy: {
    what: 'refused by the safety rules',
    next: 'Change the wording, or the picture if there is one, and generate again.',
  },
  busy: { what: 'the video service was too busy', next: 'Retry later.' },
  down: { what: 'the video service was not reachable', next: 'Retry later.' },
  token: { what: 'no access to the video service was left', next: 'Contact us.' },
  'time-out': { what: 'took too long', next: 'Retry.' },
  unknown: { what: 'lost by the video service', next: 'Retry.' },
  cancelled: { what: 'cancelled before they were started', next: 'Start them again any time.' },
}

const isClass = (code: string): code is FailureClass => code in WORDS

/** Returns what happened to videos that failed for this reason, and what the owner can do. */
export const failureAdvice = (code: string): Words => WORDS[isClass(code) ? code : 'unknown']

/** Returns whether the same prompt may succeed if it is tried again. */
export const isWorthRetrying = (code: string): boolean => code !== 'policy' && code !== 'input'
