import { holdText, type Hold } from '~/domain/videos/holds'
import { plural } from '~/lib/figures'
import { ClockTime } from '../ui/clock-time'
import type { LiveGallery } from './use-live-gallery'
import { Icon } from '../ui/icon'

/** Explains why accepted videos wait and when they are tried again. */
export function HoldNotes({ holds, now }: Pick<LiveGallery, 'holds' | 'now'>) {
  return holds.map((hold) => <HoldNote key={hold.reason} hold={hold} now={new Date(now)} />)
}

function HoldNote({ hold, now }: { hold: Hold; now: Date }) {
  return (
    <div data-hold className="flex gap-2 rounded border border-warn p-3 text-sm">
      <Icon name="circle-pause" className="mt-0.5 size-4 shrink-0 text-warn" />
      <p>
        <span className="font-medium">{plural(hold.videos, 'video')} on hold.</span>{' '}
        {holdText(hold)}
        {hold.nextTryAt && (
          <>
            {' '}
            Next try about <ClockTime instant={hold.nextTryAt} now={now} />.
          </>
        )}
      </p>
    </div>
  )
}
