export type CredentialState = 'ok' | 'cooling' | 'dead'

/** A pool token as administrators see it. Never contains the token itself. */
export type PoolTokenView = {
  id: string
  /** Masked. */
  token: string
  position: number
  lastAssignedAt: string | null
  state: CredentialState
}

/** A pool token with its recent results, for operators. */
export type PoolTokenHealth = PoolTokenView & {
  /** When its account takes orders again; null if it takes orders now. */
  coolUntil: string | null
  /** The provider's error message, redacted. */
  lastError: string | null
  lastErrorAt: string | null
  /** Number of users who have it assigned. */
  holders: number
  /** Orders of the last 24 hours that have ended: those with a delivered clip, and all of them. */
  delivered: number
  ended: number
}

/** Summary of the pool. */
export type PoolSummary = {
  total: number
  ok: number
  cooling: number
  dead: number
  /** Tokens, in the pool or not, that were found dead in the last 24 hours. */
  diedToday: number
  /** Whether the platform has a default token, which is used before those of the pool. */
  hasDefault: boolean
  /** Whether the provider in use requires a token. */
  needsCredential: boolean
}

/** Result of assigning tokens to all users. */
export type AssignmentReceipt = { assigned: number; tokensUsed: number; repeated: number }
