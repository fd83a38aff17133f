import { ORDER_TEXTS, TEXT_NAMES } from '~/domain/videos/order-fields'
import type { OrderTexts } from '~/platform/providers/port'

type Props = { video: OrderTexts; className: string }

/** The optional texts that a video was ordered with, one per line. */
export function OrderTextLines({ video, className }: Props) {
  return TEXT_NAMES.map(
    (name) =>
      video[name] !== null && (
        <p key={name} className={className}>
          {`${ORDER_TEXTS[name].shownAs}: `}
          <bdi>{video[name]}</bdi>
        </p>
      ),
  )
}
