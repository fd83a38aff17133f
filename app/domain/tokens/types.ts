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
