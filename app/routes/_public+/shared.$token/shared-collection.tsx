import { Link } from '@remix-run/react'
import type { SharedMember } from '~/domain/videos/share-links.server'
import { paths } from '~/lib/paths'
import { excerpt } from '~/lib/text'
import { buttonClass } from '~/components/ui/button'
import { CursorPages } from '~/components/ui/cursor-pages'
import { EmptyState } from '~/components/ui/empty-state'
import { Icon } from '~/components/ui/icon'
import { areMixed } from '~/components/videos/ratio-class'

type Props = {
  token: string
  name: string
  clips: readonly SharedMember[]
  isFirst: boolean
  /** Cursor of the next page. */
  next: string | null
}

/** A shared collection: posters that lead to the player, and the download of each clip. */
export function SharedCollection({ token, name, clips, isFirst, next }: Props) {
  return (
    <div className="mx-auto max-w-6xl space-y-6 px-4 pt-8">
      <h1 className="text-xl font-semibold [overflow-wrap:anywhere] sm:text-2xl">
        <bdi>{name}</bdi>
      </h1>
      {clips.length === 0 ? (
        <EmptyState text="There are no clips here now." />
      ) : (
        <div className="cards-room">
          <ul className={areMixed(clips) ? 'cards-mixed' : GRID}>
            {clips.map((clip) => (
              <li key={clip.id} data-frame={clip.aspectRatio} className="min-w-0">
                <SharedCard token={token} clip={clip} name={nameOf(clip)} />
              </li>
            ))}
          </ul>
        </div>
      )}
      <CursorPages
        first={isFirst ? null : { to: paths.shared(token), label: 'First clips' }}
        next={next === null ? null : { to: paths.sharedAfter(token, next), label: 'More clips' }}
      />
    </div>
  )
}

const GRID =
  'grid grid-cols-2 gap-3 sm:grid-cols-3 sm:gap-4 md:grid-cols-4 lg:grid-cols-5 tiny:grid-cols-1'

const nameOf = ({ prompt, place }: SharedMember): string =>
  prompt === null ? `Clip ${place}` : excerpt(prompt, 80)

type CardProps = { token: string; clip: SharedMember; name: string }

function SharedCard({ token, clip, name }: CardProps) {
  const { id, prompt, hasPoster } = clip
  return (
    <article className="space-y-1">
      <Link
        to={paths.sharedMember(token, id)}
        aria-label={`Play: ${name}`}
        className="card-frame block"
      >
        {hasPoster && (
          <img
            src={paths.sharedFile(token, id, 'poster.webp')}
            alt=""
            width={360}
            height={640}
            loading="lazy"
            decoding="async"
            className="size-full object-contain"
          />
        )}
        <span className="absolute bottom-2 left-2 rounded bg-film/70 p-1 text-film-on">
          <Icon name="square-play" className="size-5" />
        </span>
      </Link>
      {prompt !== null && (
        <p dir="auto" className="line-clamp-2 break-words text-sm text-soft">
          {name}
        </p>
      )}
      <a
        href={paths.sharedFile(token, id, 'download')}
        download
        aria-label={`Download: ${name}`}
        className={buttonClass('plain', '!flex')}
      >
        <Icon name="download" className="size-4" />
        Download
      </a>
    </article>
  )
}
