import type { UserRole, UserView } from '../accounts/types'
import type { PlanName } from '../plans/types'

/** How many accounts there are, and what all of them generated this month. */
export type UserStats = {
  total: number
  admins: number
  editors: number
  users: number
  active: number
  totalVideos: number
}

/** An account as administrators see it. The token is never shown, only its mask. */
export type ManagedUser = UserView & { tokenMasked: string | null }

/** A row of the users' page. Somebody without a password was imported and needs a link to set one. */
export type ListedUser = ManagedUser & { hasPassword: boolean }

/** One page of accounts, and how many there are in all. */
export type UserPage = {
  users: ListedUser[]
  page: number
  limit: number
  totalCount: number
  totalPages: number
}

/** What is told once after an account was made. */
export type CreatedUser = { user: ManagedUser; password: string }

/** The quick form's answer. */
export type QuickUser = {
  username: string
  password: string
  expiryDate: string | null
  phone: string
  plan: PlanName
}

/** What happened to one line or entry of an import. */
export type ImportResult = { username: string; success: boolean; error?: string }

type Message = { kind: 'success' | 'error' | 'info'; title: string; description?: string }

/** What the import's form is answered with. `text` is what was pasted, for pages without scripts. */
export type ImportAnswer = {
  /** `passwordLink`: where the user sets the first password, as the line had none that is known. */
  results: (ImportResult & { passwordLink?: string })[]
  isCheck: boolean
  toast: Message
  text?: string
}

/** What the form of Auto-Assign is answered with; tokens are masked. */
export type AssignAnswer = {
  toast: Message | null
  preview: {
    tokens: number
    users: number
    tokensUsed: number
    repeated: number
    lines: { username: string; token: string }[]
  } | null
  text?: string
}

/** A deleted account that can still come back. */
export type TrashedUser = {
  id: string
  username: string
  role: UserRole
  plan: PlanName | null
  videos: number
  deletedAt: string
  goneAt: string
}
