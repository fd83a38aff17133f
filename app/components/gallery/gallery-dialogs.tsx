import { useLocation } from '@remix-run/react'
import type { VideoView } from '~/domain/videos/types'
import { closedAddress, readDialog } from '~/lib/dialog-address'
import { excerpt } from '~/lib/text'
import { ConfirmDialog } from '../ui/confirm'
import { DownloadDialog } from './download-dialog'
import { DeleteSelectedDialog, NothingDialog, RetryAllDialog } from './bulk-dialogs'
import { AFTER_DELETION } from './deletion-text'
import { EditDialog } from './edit-dialog'
import { useGallery } from './gallery-context'
import { PreviewDialog } from './preview-dialog'
import { useOpenedVideo, type OpenedVideo } from './use-opened-video'

type Props = {
  /** The video that the URL names, if the server loaded it. */
  opened: VideoView | null
  formKey: string
  /** What the user typed before the session ended, if the URL says that there is a draft of it. */
  typed: string | null
}

/** The dialogs of a gallery and of a video's page, opened by the URL. */
export function GalleryDialogs({ opened, ...edit }: Props) {
  const { search } = useLocation()
  const { page } = useGallery()
  const { name, on } = readDialog(new URLSearchParams(search))
  const { video, isGone, check } = useOpenedVideo({ id: on, loaded: opened, cards: page.videos })
  return (
    <>
      {isGone && isOfVideo(name) && (
        <NothingDialog
          title="Video not found"
          text="This video does not exist. It may have been deleted."
          backTo={closedAddress(search)}
        />
      )}
      {name === 'delete-selected' && <DeleteSelectedDialog />}
      {name === 'retry-all' && <RetryAllDialog />}
      {name === 'download' && <DownloadDialog />}
      {name === 'preview' && video && <PreviewDialog video={video} onFailed={check} />}
      {name === 'edit' && video && <EditDialog video={video} {...edit} />}
      {video && <DeedDialog name={name} video={video} />}
    </>
  )
}

const DEEDS = {
  retry: {
    title: 'Retry this video?',
    text: 'It is made again with the same prompt and uses 1 video of today’s quota.',
    confirmLabel: 'Retry',
  },
  regenerate: {
    title: 'Regenerate this video?',
    text: 'It is made again with the same prompt and uses 1 video of today’s quota. The present video stays until the new one is ready.',
    confirmLabel: 'Regenerate',
  },
  delete: {
    title: 'Delete this video?',
    text: AFTER_DELETION,
    confirmLabel: 'Delete',
  },
} as const

const isOfVideo = (name: string | null) =>
  name === 'preview' || name === 'edit' || (name !== null && Object.hasOwn(DEEDS, name))

/** The confirmation before an action, for pages without scripts, where the browser cannot ask. */
function DeedDialog({ name, video }: { name: string | null; video: OpenedVideo }) {
  if (name !== 'retry' && name !== 'regenerate' && name !== 'delete') return null
  const { title, text, confirmLabel } = DEEDS[name]
  return (
    <ConfirmDialog
      title={title}
      text={
        <>
          <p dir="auto" className="break-words text-ink">
            {excerpt(video.prompt, 160)}
          </p>
          <p>{text}</p>
        </>
      }
      intent={name}
      fields={{ on: video.id }}
      confirmLabel={confirmLabel}
      isDangerous={name === 'delete'}
    />
  )
}
