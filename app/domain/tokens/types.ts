export type CredentialState = 'ok' | 'cooling' | 'dead'

/** A token of the extra pool as administrators see it: never the token itself. */
export type PoolTokenView = {
  id: string
  /** Masked. */
  token: string
  position: number
  lastAssignedAt: string | null
  state: CredentialState
}

/** A pool token with how it has done, for the operator's eyes. */
export type PoolTokenHealth = PoolTokenView & {
  /** Until when its account takes no orders; null when it does. */
  coolUntil: string | null
  lastUsedAt: string | null
  /** The provider's own words, redacted. */
  lastError: string | null
  lastErrorAt: string | null
  /** Users who hold it as their own. */
  holders: number
  /** Orders of the last 24 hours that ended: clips delivered, and all of them. */
  delivered: number
  ended: number
}

/** The pool at a glance. */
export type PoolSummary = {
  total: number
  ok: number
  cooling: number
  dead: number
  /** Tokens anywhere that were found dead in the last 24 hours. */
  diedToday: number
  /** Whether the platform has a token of its own, which is used before the pool's. */
  hasDefault: boolean
  /** Whether the provider in use takes orders only with a token. */
  needsCredential: boolean
}

/** What an assignment of tokens to all users did. */
export type AssignmentReceipt = { assigned: number; tokensUsed: number; repeated: number }
