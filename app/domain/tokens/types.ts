export const CREDENTIAL_STATES = ['ok', 'cooling', 'dead'] as const
export type CredentialState = (typeof CREDENTIAL_STATES)[number]

/** A token of the extra pool as administrators see it: never the token itself. */
export type PoolTokenView = {
  id: string
  /** Masked. */
  token: string
  position: number
  lastAssignedAt: string | null
  state: CredentialState
}

/** What an assignment of tokens to all users did. */
export type AssignmentReceipt = { assigned: number; tokensUsed: number; repeated: number }
