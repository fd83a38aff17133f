import { useHydrated } from '../ui/use-hydrated'
import { timeOfDay } from '~/lib/time'

type Props = { instant: string; timeZone: string }

/** A time of day: the platform's, named, until scripts know the reader's own clock. */
export function ClockTime({ instant, timeZone }: Props) {
  const isHydrated = useHydrated()
  return (
    <time dateTime={instant} className="whitespace-nowrap tabular-nums">
      {isHydrated
        ? timeOfDay(instant, Intl.DateTimeFormat().resolvedOptions().timeZone)
        : `${timeOfDay(instant, timeZone)} (${timeZone})`}
    </time>
  )
}
