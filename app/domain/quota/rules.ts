/** How much of a prompt a ledger line keeps. */
export const LABEL_CHARACTERS = 80

/** Units left of a day's limit; never negative, also when the limit was lowered below the use. */
export function remainingUnits(limit: number, used: number): number {
  return Math.max(0, limit - used)
}

/** How far the quota bar is filled, in per cent, capped at 100. */
export function usedPercent(limit: number, used: number): number {
  if (limit <= 0) return 100
  return Math.min(100, Math.round((used / limit) * 100))
}

/** The refusal when a request is larger than what is left (decision Q-7). */
export function quotaRefusal(remaining: number, requested: number): string {
  const left = `You have ${remaining} ${remaining === 1 ? 'video' : 'videos'} remaining today`
  return `${left}; ${requested} requested`
}
