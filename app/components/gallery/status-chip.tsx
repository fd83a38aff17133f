import { plural } from '~/lib/figures'
import type { CardView } from '~/domain/videos/types'
import { Icon } from '../ui/icon'

/** Label, icon and colour of each state. The colour is never the only difference. */
const STATES = {
  pending: { label: 'Pending', icon: 'hourglass', tone: 'text-soft' },
  generating: { label: 'Generating', icon: 'circle-dashed', tone: 'text-accent' },
  completed: { label: 'Completed', icon: 'circle-check', tone: 'text-good' },
  error: { label: 'Failed', icon: 'circle-x', tone: 'text-bad' },
} as const

/** Where pictures are very narrow, long words break: cut off, they could not be read. */
const CHIP = 'status-chip'

/**
 * The state of a video, how often it was made again, and whether an administrator regenerated it.
 * What is finished shows that by its picture, so its state is only for screen readers.
 */
export function Chips({ card }: { card: CardView }) {
  const { label, icon, tone } = STATES[card.status]
  const { regenerateCount: count } = card
  return (
    <>
      <span className={card.status === 'completed' ? 'sr-only' : `${CHIP} ${tone}`}>
        <Icon name={icon} className="size-3.5 tiny:hidden" />
        {label}
      </span>
      {count > 0 && (
        <span className={CHIP} data-tooltip={`Made again ${plural(count, 'time')}`}>
          <Icon name="rotate-ccw" className="size-3" />
          <span className="sr-only">Made again:</span> {count}
        </span>
      )}
      {card.regeneratedByAdmin && <span className={CHIP}>Regenerated</span>}
    </>
  )
}
