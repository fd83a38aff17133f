import type { CredentialState } from './types'

// The token desk: all tokens with which videos can be ordered. No server code.

export const KEY_STATES = ['all', 'ok', 'cooling', 'spent', 'dead'] as const
export const KEY_ORDERS = ['place', 'state', 'failures'] as const
export type TokenFilter = {
  state: (typeof KEY_STATES)[number]
  sort: (typeof KEY_ORDERS)[number]
  page: number
}

/** How a token comes to be used: by everybody, as the next of the pool, or by its holders alone. */
type TokenPlace = 'default' | 'pool' | 'personal'

type TokenCounts = { orders: number; delivered: number; failed: number }

/** A token as administrators see it. Never contains its secret. */
export type TokenView = {
  id: string
  /** "Token 14" unless the operator has named it. */
  label: string
  lastFour: string
  place: TokenPlace
  /** Place in the pool; null outside it. */
  position: number | null
  /** The operator's name of the account; null if it has none. */
  account: string | null
  /** How many other tokens pause with it. */
  sharesWith: number
  /** The provider to which it belongs, if that is not the first one. */
  otherProvider: string | null
  /** Whether its provider is not set up, or has another address than it had for the token. */
  isUnused: boolean
  note: string | null
  /** YYYY-MM-DD. */
  paidUntil: string | null
  isPaidOver: boolean
  costPerVideo: string | null
  state: CredentialState
  death: string | null
  /** Why its account is paused, and until when. */
  pauseReason: string | null
  coolUntil: string | null
  lastError: string | null
  lastErrorAt: string | null
  /** The first of its holders, and how many there are. */
  holders: { id: string; username: string }[]
  holderCount: number
  today: TokenCounts
  month: TokenCounts
}

export type TokenPage = { tokens: TokenView[]; total: number; pages: number; dead: number }

/** Tokens that were removed lately, and can be brought back. */
export type TokenRemovalView = {
  id: string
  actorName: string
  count: number
  removedAt: string
}

/** How long a removal can be undone, in hours. */
export const UNDO_HOURS = 24

/** Returns by what operators recognise a token. */
export const nameOfToken = ({ label, lastFour }: Pick<TokenView, 'label' | 'lastFour'>): string =>
  lastFour === '' ? label : `${label} …${lastFour}`

/** Returns the state of a token in words. */
export function stateText({ state, death }: Pick<TokenView, 'state' | 'death'>): string {
  if (state === 'dead') return death === 'suspended' ? 'Suspended' : 'Dead'
  if (state === 'spent') return 'No credits'
  return state === 'cooling' ? 'Paused' : 'OK'
}

const NONE: TokenCounts = { orders: 0, delivered: 0, failed: 0 }

/** Returns what became of a token's orders, in words. */
export function countsText(counts: TokenCounts = NONE): string {
  const { orders, delivered, failed } = counts
  if (orders + delivered + failed === 0) return 'none'
  return `${orders} ordered, ${delivered} delivered, ${failed} failed`
}
