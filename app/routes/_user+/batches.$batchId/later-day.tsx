import type { Carried } from '~/domain/batches/types'
import { dayAndMonth, dayIn, days } from '~/lib/time'
import { Badge } from '~/components/ui/badge'
import { readersZone } from '~/components/ui/day-time'
import { useHydrated } from '~/components/ui/use-hydrated'
import { usePlatformZone } from '~/components/ui/use-root-data'

/** When the prompts of later days are expected to be sent. */
export type LaterDays = {
  /** Null: nobody knows, because nothing is sent until the batch or the account goes on. */
  carried: Carried | null
  now: Date
}

type Props = LaterDays & {
  /** How many of the batch's prompts of later days come before this one. */
  before: number
}

/** The day of a prompt that waits for a later one, if the batch gets all units of its days. */
export function LaterDay({ carried, now, before }: Props) {
  const timeZone = usePlatformZone()
  const isHydrated = useHydrated()
  if (!carried?.until || isBeyondPlan(carried, before)) return <Badge>Later day</Badge>
  const { perDay } = carried
  const zone = isHydrated ? readersZone() : timeZone
  const at = new Date(Date.parse(carried.until) + days(Math.floor(before / perDay)))
  const isTomorrow = dayIn(zone, at) === dayIn(zone, new Date(now.getTime() + days(1)))
  return <Badge>{isTomorrow ? 'Tomorrow' : dayAndMonth(dayIn(zone, at))}</Badge>
}

/** Whether the plan ends before it is sent. */
const isBeyondPlan = ({ prompts, perDay, beyondPlan }: Carried, before: number): boolean =>
  perDay <= 0 || before >= prompts - (beyondPlan?.prompts ?? 0)
