import { dayAndTime, dayTimeAndZone } from '~/lib/time'
import { useHydrated } from './use-hydrated'
import { usePlatformZone } from './use-root-data'

/**
 * An instant with its day: in the platform's time zone, with its name, until scripts know the
 * reader's time zone.
 */
export function DayTime({ instant, className }: { instant: string; className?: string }) {
  const timeZone = usePlatformZone()
  const isHydrated = useHydrated()
  return (
    <time dateTime={instant} className={className}>
      {isHydrated ? dayAndTime(instant, readersZone()) : dayTimeAndZone(instant, timeZone)}
    </time>
  )
}

/** Returns the time zone of the browser. */
export const readersZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone
