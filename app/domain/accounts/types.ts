import type { UserRole } from '../context'
import type { PlanNumbers } from '../plans/numbers'
import type { PlanName } from '../plans/types'

/** The columns of an account that commands need. */
export type Account = PlanNumbers & {
  id: string
  username: string
  role: UserRole
  plan: PlanName | null
  isActive: boolean
  /** Whether an administrator allows API keys that the plan does not include. */
  apiAllowed: boolean
  expiryDate: Date | null
  /** From which providers its videos are ordered (`readRoute`). */
  route: string
  /** How many units of a day one of its videos uses (`unitsOfClip`). */
  clipUnits: number
}

/** A new session, and the browsers that it has signed out because the plan allows no more than so many. */
export type StartedSession = { token: string; endedAgents: (string | null)[]; most: number | null }

/** An account as it was when its user proved their identity. It orders nothing. */
export type ProvenAccount = Omit<Account, 'clipUnits'> & {
  /** Changes whenever all sessions of the user end. */
  accessVersion: number
}

/** An account as shown to its owner and to administrators. */
export type UserView = PlanNumbers & {
  id: string
  username: string
  phone: string | null
  email: string | null
  role: UserRole
  plan: PlanName | null
  isActive: boolean
  expiryDate: string | null
  /** Whole days left, rounded up; null if the account never expires. */
  daysLeft: number | null
  videosGeneratedToday: number
  videosGeneratedThisMonth: number
  createdAt: string
}
