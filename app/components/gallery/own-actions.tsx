import { Link } from '@remix-run/react'
import { paths } from '~/lib/paths'
import { buttonClass } from '../ui/button'
import { Icon } from '../ui/icon'
import { useRootData } from '../ui/use-root-data'
import { actionsOf, NamedActions, type Clip } from './card-actions'
import { downloadVideo } from './downloads'
import { useGallery } from './gallery-context'

/** Downloads a clip; with scripts it says that it does. */
export function DownloadLink({ id }: { id: string }) {
  const { scope } = useGallery()
  return (
    <a
      href={paths.api.download(id)}
      download
      onClick={(event) => {
        event.preventDefault()
        void downloadVideo(id, scope)
      }}
      className={buttonClass('primary', 'clip-download')}
    >
      Download Video
    </a>
  )
}

/**
 * What an owner does with one video, in its preview and on its page alike: Download, Share and Star with
 * their names, the rest under More.
 */
export function OwnActions({ card }: { card: Clip }) {
  const root = useRootData()
  const { id, videoUrl } = card
  return (
    <NamedActions
      card={card}
      actions={videoUrl === null ? actionsOf(card) : [...actionsOf(card), 'more']}
      lead={videoUrl !== null && <DownloadLink id={id} />}
    >
      {videoUrl !== null && root?.continues && (
        <Link to={paths.continueClip(id)} className={buttonClass('plain')}>
          <Icon name="image-play" className="size-4" />
          Continue this clip
        </Link>
      )}
      {videoUrl !== null && (
        <Link to={`${paths.video(id)}#collections`} className={buttonClass('plain')}>
          <Icon name="folder" className="size-4" />
          Collections
        </Link>
      )}
    </NamedActions>
  )
}
