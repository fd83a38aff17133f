import { useLocation } from '@remix-run/react'
import type { VideoView } from '~/domain/videos/types'
import { closedAddress, readDialog } from '~/lib/dialog-address'
import { excerpt } from '~/lib/text'
import { ConfirmDialog } from '../ui/confirm'
import { DownloadDialog } from './download-dialog'
import {
  DeleteSelectedDialog,
  NothingDialog,
  RetryAllDialog,
  RetrySelectedDialog,
} from './bulk-dialogs'
import { EditDialog } from './edit-dialog'
import { useGallery } from './gallery-context'
import { PreviewDialog } from './preview-dialog'
import { useOpenedVideo, type OpenedVideo } from './use-opened-video'
import { CONSEQUENCES, type Deed } from './video-questions'

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
      {name === 'retry-selected' && <RetrySelectedDialog />}
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
    how: 'It is made again with the same prompt.',
    label: 'Retry',
  },
  regenerate: {
    title: 'Regenerate this video?',
    how: 'It is made again with the same prompt.',
    label: 'Regenerate',
  },
  delete: { title: 'Delete this video?', how: '', label: 'Delete' },
} as const satisfies Record<Deed, { title: string; how: string; label: string }>

const isOfVideo = (name: string | null) =>
  name === 'preview' || name === 'edit' || (name !== null && Object.hasOwn(DEEDS, name))

/** The confirmation before an action, for pages without scripts, where the browser cannot ask. */
function DeedDialog({ name, video }: { name: string | null; video: OpenedVideo }) {
  const { scope } = useGallery()
  if (name !== 'retry' && name !== 'regenerate' && name !== 'delete') return null
  const { title, how, label } = DEEDS[name]
  return (
    <ConfirmDialog
      title={title}
      text={
        <>
          <p dir="auto" className="break-words text-ink">
            {excerpt(video.prompt, 160)}
          </p>
          <p>{`${how} ${CONSEQUENCES[scope][name]}`.trim()}</p>
        </>
      }
      intent={name}
      fields={{ on: video.id }}
      confirmLabel={label}
      isDangerous={name === 'delete'}
    />
  )
}
