import { plural } from '~/lib/figures'

/** Maximum length of the prompt excerpt in a ledger line. */
export const LABEL_CHARACTERS = 80

/**
 * Returns the units left of a day's limit. Never negative, even if the limit was lowered below the
 * use.
 */
export function remainingUnits(limit: number, used: number): number {
  return Math.max(0, limit - used)
}

/** Returns how full the quota bar is, in per cent, at most 100. */
export function usedPercent(limit: number, used: number): number {
  if (limit <= 0) return 100
  return Math.min(100, Math.round((used / limit) * 100))
}

/** Returns the message when a request exceeds the remaining quota (decision Q-7). */
export function quotaRefusal(remaining: number, requested: number): string {
  const left = `You have ${plural(remaining, 'video')} remaining today`
  return `${left}; ${requested} requested`
}
