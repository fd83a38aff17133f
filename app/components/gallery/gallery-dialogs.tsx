import { useLocation } from '@remix-run/react'
import type { FunctionComponent } from 'react'
import type { CollectionName } from '~/domain/videos/collections'
import type { VideoView } from '~/domain/videos/types'
import { closedAddress, readDialog } from '~/lib/dialog-address'
import { ConfirmDialog } from '../ui/confirm'
import { AboutVideo } from './about-video'
import { DownloadDialog } from './download-dialog'
import { failedOf, isAsked, videoQuestion } from './action-texts'
import type { AskedVideoAction, DialogAction } from './actions'
import { isOfTicked, NothingDialog, RetryAllDialog, TickedDialog } from './bulk-dialogs'
import { CollectDialog } from './collect-dialog'
import { EditDialog } from './edit-dialog'
import { useGallery } from './gallery-context'
import { MoreDialog } from './more-dialog'
import { PreviewDialog } from './preview-dialog'
import { ShareDialog } from './share-dialog'
import { useOpenedVideo, type OpenedVideo } from './use-opened-video'

type Props = {
  /** The video that the URL names, if the server loaded it. */
  opened: VideoView | null
  formKey: string
  /** What the user typed before the session ended, if the URL says that there is a draft of it. */
  typed: string | null
  /** How many of the ticked videos in the URL are starred, if it opens the dialog that deletes them. */
  starred?: number | null
  /** The user's collections, if the URL opens the dialog that adds to one. */
  collections?: readonly CollectionName[] | null
}

/** The dialogs of a gallery and of a video's page, opened by the URL. */
export function GalleryDialogs({ opened, starred = null, ...edit }: Props) {
  const { search } = useLocation()
  const { page } = useGallery()
  const { name, on } = readDialog(new URLSearchParams(search))
  // A page may have dialogs about something else, such as its collection.
  const id = name !== null && isOfVideo(name) ? on : null
  const { video, isGone, check } = useOpenedVideo({ id, loaded: opened, cards: page.videos })
  if (name === null) return null
  if (isGone && isOfVideo(name)) {
    return (
      <NothingDialog
        title="Video not found"
        text="This video does not exist. It may have been deleted."
        backTo={closedAddress(search)}
      />
    )
  }
  if (isOfTicked(name)) return <TickedDialog action={name} starred={starred} />
  if (isAsked(name)) return video && <QuestionDialog action={name} video={video} />
  const Own = Object.hasOwn(OWN_DIALOGS, name) ? OWN_DIALOGS[name] : undefined
  return Own ? <Own video={video} check={check} {...edit} /> : null
}

type OwnProps = Omit<Props, 'opened' | 'starred'> & { video: OpenedVideo | null; check: () => void }

/** The dialogs of their own, by name. */
const OWN_DIALOGS: Readonly<Record<string, FunctionComponent<OwnProps>>> = {
  'retry-all': RetryAllDialog,
  download: DownloadDialog,
  'collect-selected': ({ collections = null }) => <CollectDialog loaded={collections} />,
  preview: ({ video, check }) => video && <PreviewDialog video={video} onFailed={check} />,
  share: ({ video }) => video && <ShareDialog video={video} />,
  more: ({ video, formKey }) => video && <MoreDialog video={video} formKey={formKey} />,
  edit: ({ video, formKey, typed }) =>
    video && <EditDialog video={video} formKey={formKey} typed={typed} />,
} satisfies Record<DialogAction | 'preview' | 'download', FunctionComponent<OwnProps>>

const isOfVideo = (name: string): boolean =>
  ['preview', 'edit', 'share', 'more'].includes(name) || isAsked(name)

/** The confirmation before an action, for pages without scripts, where the browser cannot ask. */
function QuestionDialog({ action, video }: { action: AskedVideoAction; video: OpenedVideo }) {
  const { scope } = useGallery()
  const { text, ...question } = videoQuestion(action, { scope, starred: video.starred })
  return (
    <ConfirmDialog
      {...question}
      text={<AboutVideo video={video} text={text} />}
      intent={action}
      failed={failedOf(action, scope)}
      fields={{ on: video.id }}
    />
  )
}
