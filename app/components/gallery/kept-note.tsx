import type { Keeping } from '~/domain/videos/types'
import { dayInWords } from '~/lib/time'
import { plural } from '~/lib/figures'

/** Tells how long videos are kept, and how many of the user's videos will be removed soon. */
export function KeptNote({ keeping: { days, goingCount, firstDay } }: { keeping: Keeping }) {
  return (
    <p className="text-sm text-soft">
      Videos are kept for {plural(days, 'day')}.
      {firstDay !== null && (
        <strong className="font-medium text-warn">
          {goingCount === 1
            ? ` One of yours will be removed on ${dayInWords(firstDay)}.`
            : ` ${goingCount} of yours will be removed soon, the first on ${dayInWords(firstDay)}.`}
        </strong>
      )}
      {firstDay !== null && ' Download what you want to keep.'}
    </p>
  )
}
