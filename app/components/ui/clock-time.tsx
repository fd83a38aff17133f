import { timeAhead, timeOfDay } from '~/lib/time'
import { useHydrated } from '../ui/use-hydrated'

type Props = {
  instant: string
  timeZone: string
  /** Where the instant may lie on another day, which is then named. */
  now?: Date
}

/** A time of day: the platform's, named, until scripts know the reader's own clock. */
export function ClockTime({ instant, timeZone, now }: Props) {
  const isHydrated = useHydrated()
  const zone = isHydrated ? Intl.DateTimeFormat().resolvedOptions().timeZone : timeZone
  const text = now ? timeAhead(instant, zone, now) : timeOfDay(instant, zone)
  return (
    <time dateTime={instant} className="whitespace-nowrap tabular-nums">
      {isHydrated ? text : `${text} (${timeZone})`}
    </time>
  )
}
