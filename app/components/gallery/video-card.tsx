import { Link, useNavigate } from '@remix-run/react'
import { memo, type MouseEvent } from 'react'
import type { CardView } from '~/domain/videos/types'
import { keptUntil, tellsFailure } from '~/domain/videos/rules'
import { titleOf } from '~/domain/videos/video-names'
import { dayInWords } from '~/lib/time'
import { dialogAddress } from '~/lib/dialog-address'
import { mediaVersion } from '~/lib/media-version'
import { paths } from '~/lib/paths'
import { excerpt } from '~/lib/text'
import { smallWebpOf, webpOf } from '~/lib/poster-files'
import { ShortTime } from '../ui/short-time'
import type { VideoAction } from './actions'
import { CardActions, ShareLink, StarButton } from './card-actions'
import { OrderTextLines } from '../videos/order-text-lines'
import { useGallery, useTicks } from './gallery-context'
import { isTicked } from './selection'
import { useLongPress } from './use-long-press'
import { GenerationNote, Still } from './generation-progress'
import { Chips } from './status-chip'
import { Icon } from '../ui/icon'
import { isPlainPress } from '../ui/plain-press'
import { useHydrated } from '../ui/use-hydrated'

const SIZES = {
  portrait: { width: 360, height: 640 },
  landscape: { width: 640, height: 360 },
} as const

type Props = {
  card: CardView
  actions: readonly VideoAction[]
  /** The first card with a poster, which is loaded eagerly. */
  isFirst: boolean
}

/**
 * A video in a gallery. The picture comes first: a frame of the video's own shape, as high as its
 * neighbours. If it failed, the frame says why.
 */
export const VideoCard = memo(function VideoCard({ card, actions, isFirst }: Props) {
  const hasFailed = card.status === 'error'
  return (
    <article className="video-card">
      <div className="card-frame" data-clip={clipOf(card)}>
        <Picture card={card} isFirst={isFirst} />
        <div className="card-chips">
          <Chips card={card} />
        </div>
        {hasFailed && <p className="card-failure">{card.errorMessage}</p>}
        <PosterLink card={card} />
        <SelectBox card={card} />
        <StarButton card={card} />
        <ShareLink card={card} />
      </div>
      {card.name && (
        <p dir="auto" className="mt-2 truncate text-sm font-semibold">
          {card.name}
        </p>
      )}
      <h3 dir="auto" className="mt-2 line-clamp-2 break-words text-sm font-normal [text-wrap:wrap]">
        {card.prompt}
        {card.isCut && '…'}
      </h3>
      <OrderTextLines video={card} className="truncate text-xs text-soft" />
      {!hasFailed && card.errorMessage && (
        <p
          className={`line-clamp-3 break-words text-xs ${tellsFailure(card) ? 'text-bad' : 'text-soft'}`}
        >
          {card.errorMessage}
        </p>
      )}
      <div className="card-line">
        <p className="min-w-0 grow basis-[5.5rem] text-xs text-soft">
          <Owner card={card} />
          <RemovedOn card={card} />
        </p>
        <CardActions card={card} actions={actions} />
      </div>
    </article>
  )
})

/** When the video was created, and whose it is where the list is of several users. */
function Owner({ card: { user, createdAt } }: { card: CardView }) {
  const { scope } = useGallery()
  return (
    <>
      {scope === 'all' && (
        <Link
          to={paths.admin.user(user.username)}
          className="block truncate text-ink hover:underline"
        >
          {user.username}
        </Link>
      )}
      <ShortTime instant={createdAt} by={user.username} className="block" />
    </>
  )
}

/** The date on which a video is removed because of its age, if that is soon. */
function RemovedOn({ card }: { card: CardView }) {
  const day = keptUntil(useGallery().keeping, card)
  return day === null ? null : (
    <span className="block text-warn">
      Removed on <time dateTime={day}>{dayInWords(day)}</time>
    </span>
  )
}

/** The clip that plays in the frame while the pointer is over it, if there is one. */
const clipOf = (card: CardView): string | undefined =>
  card.videoUrl === null ? undefined : card.videoUrl + mediaVersion(card)

/** The poster, or the progress or a sign in its place. */
function Picture({ card, isFirst }: Pick<Props, 'card' | 'isFirst'>) {
  const { thumbnailUrl, status } = card
  if (thumbnailUrl !== null) return <Poster card={card} isFirst={isFirst} />
  return (
    <div className="absolute inset-0 flex items-center justify-center overflow-hidden px-2 py-3 text-center text-sm text-film-on">
      {status === 'error' ? null : status === 'completed' ? (
        <Icon name="film" className="size-8 opacity-40" />
      ) : status === 'pending' ? (
        <p>Queued</p>
      ) : (
        <>
          <Still id={card.id} className="object-cover opacity-40" />
          <GenerationNote id={card.id} />
        </>
      )}
    </div>
  )
}

function Poster({ card, isFirst }: Pick<Props, 'card' | 'isFirst'>) {
  const { thumbnailUrl, aspectRatio } = card
  if (thumbnailUrl === null) return null
  const version = mediaVersion(card)
  return (
    <picture>
      <source
        type="image/webp"
        srcSet={`${smallWebpOf(thumbnailUrl)}${version} 1x, ${webpOf(thumbnailUrl)}${version} 2x`}
      />
      <img
        src={thumbnailUrl + version}
        alt=""
        {...SIZES[aspectRatio]}
        loading={isFirst ? 'eager' : 'lazy'}
        decoding="async"
        className="absolute inset-0 size-full object-contain"
      />
    </picture>
  )
}

/** The link over the poster. Opens the preview with scripts, the video's own page without. */
function PosterLink({ card }: { card: CardView }) {
  const { page, search } = useGallery()
  const { selection, tick } = useTicks()
  const navigate = useNavigate()
  const longPress = useLongPress(() => tick(card, !isTicked(selection, card, page.filters)))
  const open = (event: MouseEvent) => {
    if (card.videoUrl === null || !isPlainPress(event)) return
    event.preventDefault()
    navigate(dialogAddress(search, 'preview', card.id), { preventScrollReset: true })
  }
  return (
    <Link
      to={paths.video(card.id)}
      onClick={open}
      {...longPress}
      aria-label={`${card.videoUrl === null ? 'Open' : 'Play'}: ${excerpt(titleOf(card), 60)}`}
      className="absolute inset-0 rounded"
    />
  )
}

function SelectBox({ card }: { card: CardView }) {
  const { page } = useGallery()
  const { selection, tick } = useTicks()
  const isHydrated = useHydrated()
  return (
    <label data-box className="card-box">
      <input
        type="checkbox"
        name="ids"
        value={card.id}
        checked={isTicked(selection, card, page.filters)}
        // Without scripts the server would not learn which of all that match was unticked.
        disabled={!isHydrated && selection.kind === 'all'}
        onChange={({ target, nativeEvent }) =>
          tick(card, target.checked, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
        }
        aria-label={`Select: ${excerpt(titleOf(card), 60)}`}
        className="size-5"
      />
    </label>
  )
}
