/** Videos of a user that wait for one reason. */
export type Hold = {
  reason: string
  videos: number
  /** When it is tried again; null where nobody knows. */
  nextTryAt: string | null
}

/**
 * Answers to the calls that follow work carry the caller's holds in this header, as JSON: a hold is
 * no change of a video or batch, so their bodies and tags cannot tell of it.
 */
export const HOLDS_HEADER = 'X-Holds'

const SAFE = 'Nothing is lost and nothing is charged while they wait.'

const WORDS: Record<string, string> = {
  token: 'No access to the video service is free at the moment.',
  busy: 'The video service has no free place at the moment.',
  'rate-limited': 'The video service asks us to slow down.',
  quota: "The video service's own limit is reached for now.",
  forbidden: 'The video service does not let us in at the moment. The operator has been told.',
  'model-gone': 'The video model is not there at the moment. The operator has been told.',
  down: 'The video service cannot be reached at the moment.',
  space: 'Our storage for videos is full at the moment. The operator has been told.',
  transient: 'The video service stumbled over the last try.',
}

/** Why videos wait, in the owner's words: what happened, and what is safe. */
export function holdText({ reason }: Pick<Hold, 'reason'>): string {
  return `${WORDS[reason] ?? 'The last try did not succeed.'} ${SAFE}`
}
