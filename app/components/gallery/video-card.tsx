import { Link, useNavigate } from '@remix-run/react'
import { memo, type MouseEvent } from 'react'
import type { CardView } from '~/domain/videos/types'
import { keptUntil, tellsFailure } from '~/domain/videos/rules'
import { dayInWords } from '~/lib/time'
import { dialogAddress } from '~/lib/dialog-address'
import { mediaVersion } from '~/lib/media-version'
import { paths } from '~/lib/paths'
import { excerpt } from '~/lib/text'
import { smallWebpOf, webpOf } from '~/lib/poster-files'
import { DayTime } from '../ui/day-time'
import { CardActions, type CardAction } from './card-actions'
import { OrderTextLines } from '../videos/order-text-lines'
import { isAllSelected, useGallery } from './gallery-context'
import { MakingNote, Still } from './making'
import { Chips } from './status-chip'
import { Icon } from '../ui/icon'
import { isPlainPress } from '../ui/plain-press'

/**
 * Portrait and landscape posters give cards of the same size. A landscape poster is above its text,
 * a portrait poster beside it, and both blocks are 5:4. So a mixed gallery has straight rows, and
 * nothing moves when pictures load. If the row is taller, a portrait poster is as tall as the row.
 */
const LAYOUT = {
  portrait: {
    block: 'grid-cols-[45fr_55fr]',
    frame: 'h-full',
    link: 'h-full w-[45%]',
    text: 'line-clamp-6',
    size: { width: 360, height: 640 },
  },
  landscape: {
    block: 'grid-rows-[auto_1fr]',
    frame: 'aspect-[16/9]',
    link: 'aspect-[16/9] w-full',
    text: 'line-clamp-2',
    size: { width: 640, height: 360 },
  },
} as const

type Props = {
  card: CardView
  actions: readonly CardAction[]
  /** The first card with a poster, which is loaded eagerly. */
  isFirst: boolean
}

/** A video in a gallery: a poster in a frame with its aspect ratio, never a player. */
export const VideoCard = memo(function VideoCard({ card, actions, isFirst }: Props) {
  const { block, frame, text } = LAYOUT[card.aspectRatio]
  const isCrowded = card.errorMessage !== null && card.aspectRatio === 'portrait'
  return (
    <article className="video-card">
      <div className={`relative grid aspect-[5/4] grow ${block}`}>
        <div className={`relative overflow-hidden bg-film ${frame}`}>
          <Frame card={card} isFirst={isFirst} />
        </div>
        <div className="min-w-0 space-y-1.5 p-3">
          <h3
            dir="auto"
            className={`break-words text-sm font-normal ${isCrowded ? 'line-clamp-3' : text}`}
          >
            {card.prompt}
            {card.isCut && '…'}
          </h3>
          <OrderTextLines video={card} className="truncate text-xs text-soft" />
          {card.errorMessage && !isShownInPicture(card) && (
            <p
              className={`line-clamp-6 break-words text-xs md:max-lg:line-clamp-5 ${tellsFailure(card) ? 'text-bad' : 'text-soft'}`}
            >
              {card.errorMessage}
            </p>
          )}
        </div>
        <PosterLink card={card} />
        <SelectBox card={card} />
      </div>
      <div className="relative flex min-h-11 flex-wrap items-center justify-between gap-x-1 border-t border-line pl-3">
        <p className="min-w-0 grow basis-24 py-1 text-xs text-soft">
          <span className="block truncate">{card.user.username}</span>
          <DayTime instant={card.createdAt} className="block" />
          <RemovedOn card={card} />
        </p>
        <CardActions card={card} actions={actions} />
      </div>
    </article>
  )
})

/** The date on which a video is removed because of its age, if that is soon. */
function RemovedOn({ card }: { card: CardView }) {
  const day = keptUntil(useGallery().keeping, card)
  return day === null ? null : (
    <span className="block text-warn">
      Removed on <time dateTime={day}>{dayInWords(day)}</time>
    </span>
  )
}

/**
 * An error message is shown in place of the picture if that is wide enough to read it. Otherwise it
 * is shown with the prompt, as it is beside a clip whose regeneration failed or was stopped.
 */
const isShownInPicture = ({ thumbnailUrl, aspectRatio }: CardView): boolean =>
  thumbnailUrl === null && aspectRatio === 'landscape'

/** The poster, or the progress or error in its place. */
function Frame({ card, isFirst }: Pick<Props, 'card' | 'isFirst'>) {
  const { thumbnailUrl, status } = card
  const version = mediaVersion(card)
  return (
    <>
      {thumbnailUrl ? (
        <picture>
          <source
            type="image/webp"
            srcSet={`${smallWebpOf(thumbnailUrl)}${version} 1x, ${webpOf(thumbnailUrl)}${version} 2x`}
          />
          <img
            src={thumbnailUrl + version}
            alt=""
            {...LAYOUT[card.aspectRatio].size}
            loading={isFirst ? 'eager' : 'lazy'}
            decoding="async"
            className="size-full object-cover"
          />
        </picture>
      ) : (
        <div className="flex size-full items-center justify-center overflow-hidden px-1.5 py-3 text-center text-sm text-film-on">
          {status === 'error' && isShownInPicture(card) ? (
            // Keeps clear of the checkbox above and the state below.
            <p className="line-clamp-4 w-full self-start break-words pl-8 text-left text-xs">
              {card.errorMessage}
            </p>
          ) : status === 'error' || status === 'completed' ? (
            <Icon name="film" className="size-8 opacity-60" />
          ) : status === 'pending' ? (
            <p>Queued</p>
          ) : (
            <>
              <Still id={card.id} className="object-cover opacity-40" />
              <MakingNote id={card.id} />
            </>
          )}
        </div>
      )}
      <div className="absolute inset-x-1 bottom-1 flex flex-wrap gap-1 tiny:inset-x-0.5 lg:inset-x-2 lg:bottom-2">
        <Chips card={card} />
      </div>
    </>
  )
}

/** The link over the poster. Opens the preview with scripts, the video's own page without. */
function PosterLink({ card }: { card: CardView }) {
  const { search } = useGallery()
  const navigate = useNavigate()
  const open = (event: MouseEvent) => {
    if (card.videoUrl === null || !isPlainPress(event)) return
    event.preventDefault()
    navigate(dialogAddress(search, 'preview', card.id), { preventScrollReset: true })
  }
  return (
    <Link
      to={paths.video(card.id)}
      onClick={open}
      aria-label={`Open: ${excerpt(card.prompt, 60)}`}
      className={`absolute left-0 top-0 rounded-tl-lg ${LAYOUT[card.aspectRatio].link}`}
    />
  )
}

function SelectBox({ card }: { card: CardView }) {
  const { search, readSelection } = useGallery()
  return (
    <label
      data-box
      className="absolute left-0 top-0 flex size-11 cursor-pointer items-center justify-center"
    >
      <input
        type="checkbox"
        name="ids"
        value={card.id}
        defaultChecked={isAllSelected(search)}
        onChange={readSelection}
        aria-label={`Select: ${excerpt(card.prompt, 60)}`}
        className="size-5"
      />
    </label>
  )
}
