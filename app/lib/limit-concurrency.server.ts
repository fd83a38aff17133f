/** Whose work it is: work of a lower lane goes first, and within a lane callers take turns. */
export type Turn = { lane: number; caller: string }

/**
 * Returns a function that runs at most `places` functions at once; the others wait, those of one caller in
 * order of arrival. Use it for heavy work, so that it does not delay light work.
 */
export function limitInTurns(
  places: number,
): <T>(turn: Turn, work: () => Promise<T>) => Promise<T> {
  const waiting = new Set<Turn & { start: () => void }>()
  const servedAt = new Map<string, number>()
  let free = places
  let served = 0
  const serve = ({ caller }: Turn) => void servedAt.set(caller, ++served)
  /** Takes from the lowest lane the first one of the caller who was served longest ago. */
  const takeNext = () => {
    const [first, ...others] = waiting
    if (first === undefined) return servedAt.clear()
    const lastOf = ({ caller }: Turn) => servedAt.get(caller) ?? 0
    const isBefore = (one: Turn, other: Turn) =>
      one.lane < other.lane || (one.lane === other.lane && lastOf(one) < lastOf(other))
    const next = others.reduce((best, one) => (isBefore(one, best) ? one : best), first)
    waiting.delete(next)
    return next
  }
  return async (turn, work) => {
    if (free > 0) {
      free--
      serve(turn)
    } else await new Promise<void>((start) => waiting.add({ ...turn, start }))
    try {
      return await work()
    } finally {
      // The place is passed on directly, so that a new caller cannot take it first.
      const next = takeNext()
      if (next) {
        serve(next)
        next.start()
      } else free++
    }
  }
}

/** Like `limitInTurns`; all wait in order of arrival. */
export function limitConcurrency(places: number): <T>(work: () => Promise<T>) => Promise<T> {
  const limit = limitInTurns(places)
  return (work) => limit({ lane: 0, caller: '' }, work)
}
