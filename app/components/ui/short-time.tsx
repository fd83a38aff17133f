import { dayAndTime, shortDayAndTime } from '~/lib/time'
import { readersZone } from './day-time'
import { useHydrated } from './use-hydrated'
import { usePlatformZone } from './use-root-data'

type Props = {
  instant: string
  /** Who it is by, for the tooltip. */
  by: string
  className?: string
}

/**
 * An instant where there is little room, without its year while that is the present one. The tooltip
 * has all of it. Without scripts it is in the platform's time zone, with its name.
 */
export function ShortTime({ instant, by, className }: Props) {
  const platformZone = usePlatformZone()
  const isHydrated = useHydrated()
  const zone = isHydrated ? readersZone() : platformZone
  const short = shortDayAndTime(instant, zone, new Date())
  return (
    <time
      dateTime={instant}
      className={className}
      data-tooltip={`${by}, ${dayAndTime(instant, zone)}, ${zone}`}
    >
      {isHydrated ? short : `${short} ${zone}`}
    </time>
  )
}
