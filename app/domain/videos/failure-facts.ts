import type { FailureClass } from './types'

type Facts = {
  /** Caused by the video's owner, so it says nothing about the system. */
  isOwners: boolean
  /** The provider may still finish the clip, so the order is looked at for a day. */
  mayStillFinish: boolean
}

const FACTS: Record<FailureClass, Facts> = {
  input: { isOwners: true, mayStillFinish: false },
  policy: { isOwners: true, mayStillFinish: false },
  busy: { isOwners: false, mayStillFinish: false },
  down: { isOwners: false, mayStillFinish: true },
  token: { isOwners: false, mayStillFinish: false },
  'time-out': { isOwners: false, mayStillFinish: true },
  unknown: { isOwners: false, mayStillFinish: true },
  cancelled: { isOwners: true, mayStillFinish: false },
}

const classesWith = (fact: keyof Facts): readonly string[] =>
  Object.entries(FACTS).flatMap(([name, facts]) => (facts[fact] ? [name] : []))

export const FAILURES_OF_OWNERS = classesWith('isOwners')
export const FAILURES_LOOKED_AT_LATE = classesWith('mayStillFinish')
/** The prompt or its settings were refused. What was cancelled has not failed. */
export const REFUSALS = FAILURES_OF_OWNERS.filter((name) => name !== 'cancelled')
