import type { HoldReason } from './types'

/** Videos of a user that wait for one reason. */
export type Hold = {
  reason: string
  videos: number
  /** When the next try is made; null if unknown. */
  nextTryAt: string | null
}

const SAFE = 'Nothing is lost or charged while they wait.'

type Words = {
  /** What happened, for the owner. */
  owner: string
  /** For operators: completes a sentence after "because". */
  operator: string
}

/** All reasons for which videos or gates wait. The only such table. */
const WORDS = {
  token: {
    owner: 'All access to the video service is in use at the moment.',
    operator: 'no usable token is left, or several were refused in a row',
  },
  busy: {
    owner: 'The video service has no free place at the moment.',
    operator: 'the caps or the provider’s pace are reached',
  },
  'rate-limited': {
    owner: 'The video service asks us to slow down.',
    operator: 'the provider said that orders came too fast',
  },
  quota: {
    owner: "The video service's own limit is reached for now.",
    operator: 'the account has no credits or quota left with the provider',
  },
  forbidden: {
    owner: 'The video service does not let us in at the moment. The operator has been told.',
    operator: 'the account may not make videos',
  },
  'model-gone': {
    owner: 'The video model is unavailable at the moment. The operator has been told.',
    operator: 'the provider does not offer the model',
  },
  down: {
    owner: 'The video service cannot be reached at the moment.',
    operator: 'the provider does not respond',
  },
  unreadable: {
    owner:
      'The video service gives answers that we cannot read at the moment. The operator has been told.',
    operator: 'orders were sent and no acceptance came back that can be read',
  },
  'no-clips': {
    owner: 'The video service delivers no videos at the moment. The operator has been told.',
    operator: 'orders were accepted and ended without a clip and without a reason',
  },
  space: {
    owner: 'Our storage for videos is full at the moment. The operator has been told.',
    operator: 'our storage is full',
  },
  storage: {
    owner: 'Our storage for videos cannot be reached at the moment. The operator has been told.',
    operator: 'our storage is unavailable',
  },
  clips: {
    owner: 'Finished videos cannot be fetched from the video service at the moment.',
    operator: 'the host of finished clips does not respond',
  },
  transient: {
    owner: 'The video service had an error at the last try.',
    operator: 'a try has just failed',
  },
} as const satisfies Record<HoldReason, Words>

/** A reason that an earlier version stored may be missing. */
const wordsOf: ReadonlyMap<string, Words> = new Map(Object.entries(WORDS))

/** Returns why videos wait, for the owner, with a reassurance that nothing is lost or charged. */
export const holdText = ({ reason }: Pick<Hold, 'reason'>): string =>
  `${wordsOf.get(reason)?.owner ?? 'The last try did not succeed.'} ${SAFE}`

/**
 * Returns why videos wait or a gate is closed, for operators: the end of a sentence with "because".
 */
export const causeOf = (reason: string): string =>
  wordsOf.get(reason)?.operator ?? `the last try did not succeed (${reason})`
