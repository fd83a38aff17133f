import type { Played } from './schedule'

/** The most orders of one incident that may be paid for nothing, beyond what was under way. */
const MOST_FOR_NOTHING = 8
/**
 * What left together with the first of these orders, before anybody could know: the line may send a whole
 * batch at one moment (docs/decisions/0102-one-bad-video-holds-no-others.md).
 */
const UNDER_WAY_MS = 1_000

/**
 * Returns the troubles in which too many orders were paid that brought nobody a clip. `vain` has the
 * times at which these orders were sent. One that was sent during several troubles counts for the one that
 * ends first and has room: only what no trouble excuses is too many.
 */
export function paidForNothing(vain: readonly number[], played: readonly Played[]): string[] {
  const sent = [...vain].sort((one, other) => one - other)
  const incidents = played.map(({ name, from, to = Infinity }) => {
    const first = sent.find((at) => at > from) ?? from
    return { name, since: first + UNDER_WAY_MS, to, orders: 0 }
  })
  for (const at of sent) {
    const going = incidents
      .filter(({ since, to }) => at > since && at < to)
      .sort((one, other) => one.to - other.to)
    const [first] = going
    const blamed = going.find(({ orders }) => orders < MOST_FOR_NOTHING) ?? first
    if (blamed) blamed.orders += 1
  }
  return incidents
    .filter(({ orders }) => orders > MOST_FOR_NOTHING)
    .map(({ name, orders }) => `${name}: ${orders} orders`)
}
