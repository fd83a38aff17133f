import { figure } from '~/lib/figures'
import type { UserRole } from '../../context'
import { maskToken } from '../../tokens/rules'
import type { PlanName } from '../../plans/types'
import type { BulkFacts } from '../changes/bulk-rules'
import type { ImportEntry } from './import-rules'
import type { ManagedUser } from '../types'

/** The values of an account that an import changes. */
export type ImportedFacts = {
  role: UserRole
  plan: PlanName
  videoLimit: number
  speedLimit: number
  videoGenerationSpeed: number
  isActive: boolean
  bearerToken: string
}

const NAMES: Record<keyof ImportedFacts, string> = {
  role: 'Role',
  plan: 'Plan',
  videoLimit: 'Daily video limit',
  speedLimit: 'Speed limit',
  videoGenerationSpeed: 'Generation speed',
  isActive: 'Active',
  bearerToken: 'Token',
}

/**
 * Returns the values of an entry that differ from the account's. A column without a value changes
 * nothing. `token` is the account's own token in clear text, if it has one.
 */
export function changedBy(
  entry: ImportEntry,
  account: ManagedUser,
  token: string | null,
): Partial<ImportedFacts> {
  const { role, plan, videoLimit, speedLimit, videoGenerationSpeed, isActive, bearerToken } = entry
  const has = (name: string) => entry.given.includes(name)
  return {
    ...(has('role') && role !== account.role && { role }),
    ...(has('plan') && plan !== account.plan && { plan }),
    ...(has('videoLimit') && videoLimit !== account.videoLimit && { videoLimit }),
    ...(has('speedLimit') && speedLimit !== account.speedLimit && { speedLimit }),
    ...(has('videoGenerationSpeed') &&
      videoGenerationSpeed !== account.videoGenerationSpeed && { videoGenerationSpeed }),
    ...(has('isActive') && isActive !== account.isActive && { isActive }),
    ...(bearerToken !== null && bearerToken !== token && { bearerToken }),
  }
}

/** Returns each change as a sentence: `Plan: Business → Starter`. Tokens are masked. */
export function changeTexts(account: ManagedUser, changed: Partial<ImportedFacts>): string[] {
  const before = { ...account, bearerToken: account.tokenMasked }
  return Object.entries(NAMES).flatMap(([name, label]) => {
    const key = KEYS.find((one) => one === name)
    const value = key && changed[key]
    if (key === undefined || value === undefined) return []
    const after = key === 'bearerToken' ? maskToken(String(value)) : value
    return [`${label}: ${valueText(before[key])} → ${valueText(after)}`]
  })
}

const KEYS = [
  'role',
  'plan',
  'videoLimit',
  'speedLimit',
  'videoGenerationSpeed',
  'isActive',
  'bearerToken',
] as const satisfies readonly (keyof ImportedFacts)[]

function valueText(value: string | number | boolean | null): string {
  if (value === null) return 'none'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return typeof value === 'number' ? figure(value) : value
}

/** Returns the values of an account with which an import can be undone. Tokens are not among them. */
export const factsOf = (user: ManagedUser): BulkFacts => ({
  exists: true,
  role: user.role,
  plan: user.plan,
  videoLimit: user.videoLimit,
  speedLimit: user.speedLimit,
  videoGenerationSpeed: user.videoGenerationSpeed,
  isActive: user.isActive,
})
