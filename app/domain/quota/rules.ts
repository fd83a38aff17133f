import { figure, plural } from '~/lib/figures'

/** Maximum length of the prompt excerpt in a ledger line. */
export const LABEL_CHARACTERS = 80

/**
 * Returns how many whole clips of `each` units fit into what is left of a day. Never negative, even if the
 * limit was lowered below the use.
 */
export function remainingClips(left: number, each: number): number {
  return Math.max(0, Math.floor(left / each))
}

/** Says that a video uses several units; '' if it uses one. */
export const countsAs = (each: number): string =>
  each === 1 ? '' : `each video counts as ${figure(each)}`

/** From this part of a day's videos, in per cent, the rest is nearly used up. */
export const NEARLY_USED_PERCENT = 80
/** With fewer videos a day each one is a large part of them, and nobody is told. */
export const FEWEST_FOR_NEARLY = 5

/** Returns whether most of a day's videos are used, and some are left. */
export const isNearlyUsed = (limit: number, used: number): boolean =>
  limit >= FEWEST_FOR_NEARLY && used < limit && used * 100 >= NEARLY_USED_PERCENT * limit

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
