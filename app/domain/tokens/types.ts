export type CredentialState = 'ok' | 'cooling' | 'spent' | 'dead'

/** A pool token as administrators see it. Never contains the token itself. */
export type PoolTokenView = {
  id: string
  /** Masked. */
  token: string
  /** By what operators recognise it: "Token 14 …a1b2". */
  name: string
  position: number
  lastAssignedAt: string | null
  state: CredentialState
  /** Why it is dead: 'refused' or 'suspended'; null if it is not. */
  death: string | null
}

/** Summary of the pool. */
export type PoolSummary = {
  total: number
  ok: number
  cooling: number
  /** Out of credits. */
  spent: number
  dead: number
  /** Tokens, in the pool or not, that were found dead in the last 24 hours. */
  diedToday: number
  /** Whether the platform has a default token, which is used before those of the pool. */
  hasDefault: boolean
  /** Whether the provider requires a token. */
  needsCredential: boolean
}

/** A provider, as plans name it and as it is called. */
export type ProviderChoice = { name: string; kind: string }

/** Result of assigning tokens to all users. */
export type AssignmentReceipt = { assigned: number; tokensUsed: number; repeated: number }
