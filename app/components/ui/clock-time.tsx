import { timeAhead, timeOfDay } from '~/lib/time'
import { useHydrated } from './use-hydrated'
import { readersZone } from './day-time'
import { usePlatformZone } from './use-root-data'

type Props = {
  instant: string
  /** The current time. If given, the text names the day when the instant is on another day. */
  now?: Date
}

/**
 * A time of day: in the platform's time zone, with its name, until scripts know the reader's time
 * zone.
 */
export function ClockTime({ instant, now }: Props) {
  const timeZone = usePlatformZone()
  const isHydrated = useHydrated()
  const zone = isHydrated ? readersZone() : timeZone
  const text = now ? timeAhead(instant, zone, now) : timeOfDay(instant, zone)
  return (
    <time dateTime={instant} className="whitespace-nowrap tabular-nums tiny:whitespace-normal">
      {isHydrated ? text : `${text} (${timeZone})`}
    </time>
  )
}
