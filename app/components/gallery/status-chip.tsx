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

/**
 * The state of a video, how often it was made again, and whether an administrator regenerated it.
 * What is finished shows that by its picture, so its state is only for screen readers.
 */
export function Chips({ card }: { card: CardView }) {
  const { label, icon, tone } = STATES[card.status]
  const { regenerateCount: count } = card
  return (
    <>
      <span className={card.status === 'completed' ? 'sr-only' : `status-chip ${tone}`}>
        <Icon name={icon} className="size-3.5 tiny:hidden" />
        {label}
      </span>
      {count > 0 && (
        <span className="status-chip" data-tooltip={`Made again ${plural(count, 'time')}`}>
          <Icon name="rotate-ccw" className="size-3" />
          <span className="sr-only">Made again:</span> {count}
        </span>
      )}
      {card.regeneratedByAdmin && <span className="status-chip">Regenerated</span>}
    </>
  )
}
