import { useNavigate } from '@remix-run/react'
import { useState } from 'react'
import { readPulse, type UnderWay } from '~/domain/videos/gallery/pulse'
import type { PicturePlace } from '~/domain/videos/requests/pictures'
import { isInProgress, modelLabel, tellsFailure, toCard } from '~/domain/videos/rules'
import type { GalleryPage, VideoView } from '~/domain/videos/types'
import { paths } from '~/lib/paths'
import { Card } from '~/components/ui/card'
import { textLinkClass } from '~/components/ui/text-link'
import { DayTime } from '~/components/ui/day-time'
import { usePolling } from '~/components/ui/use-polling'
import { OrderTextLines } from '~/components/videos/order-text-lines'
import { FoldedPrompt } from '~/components/videos/folded-prompt'
import { VideoPlaceholder } from '~/components/videos/video-placeholder'
import { VideoPlayer } from '~/components/videos/video-player'
import type { VideoAction } from '~/components/gallery/actions'
import { actionsOf, NamedActions, PressedForms } from '~/components/gallery/card-actions'
import { DownloadLink, OwnActions } from '~/components/gallery/own-actions'
import { GalleryProvider } from '~/components/gallery/gallery-context'
import { GalleryDialogs } from '~/components/gallery/late-dialogs'
import {
  GenerationProgressBar,
  GenerationProgressProvider,
  Still,
} from '~/components/gallery/generation-progress'
import { Chips } from '~/components/gallery/status-chip'

/** Interval of a video's poll while it is being made (specification §9). */
const POLL_MS = 3000

type Progress = Pick<UnderWay, 'making' | 'usualMs'>

type Props = {
  loaded: VideoView
  /** False for an administrator who looks at the video of another user. */
  isOwn: boolean
  pictures: readonly PicturePlace[]
  progress: Progress
  formKey: string
  typed: string | null
}

const PICTURES = {
  first: { ending: 'picture.jpeg', text: 'Made from a picture' },
  end: { ending: 'end-picture.jpeg', text: 'Ends with a picture' },
} as const

/** A video on a page of its own: its state, the clip, the prompt and the actions. */
export function VideoDetails(props: Props) {
  const { loaded, isOwn, pictures, progress, ...dialog } = props
  const first = { loaded, video: loaded, making: progress.making }
  const [latest, setLatest] = useState(first)
  if (latest.loaded !== loaded) setLatest(first)
  const { video, making } = latest
  const navigate = useNavigate()
  const refresh = usePolling<VideoView>({
    url: () => paths.api.status(video.id),
    everyMs: POLL_MS,
    isActive: isInProgress(video),
    onAnswer: (answer) => setLatest((before) => ({ ...before, video: answer })),
    onHeaders: (headers) => {
      const told = readPulse(headers)?.making.filter(({ id }) => id === video.id) ?? []
      // An administrator's pulse does not contain other users' videos.
      if (told.length > 0) setLatest((before) => ({ ...before, making: told }))
    },
    // The video was deleted, here or elsewhere: go to the remaining videos, as without scripts.
    onGone: () => navigate(isOwn ? paths.dashboard : paths.admin.videos, { replace: true }),
  })
  const card = toCard(video)
  return (
    <GalleryProvider page={pageOf(video)} scope="mine" refresh={refresh}>
      <Card className="space-y-4">
        <div className="flex flex-wrap gap-1" aria-live="polite">
          <Chips card={card} />
        </div>
        {video.errorMessage && (
          <p className={`text-sm ${tellsFailure(video) ? 'text-bad' : 'text-soft'}`}>
            {video.errorMessage}
          </p>
        )}
        {video.videoUrl ? (
          <VideoPlayer video={video} />
        ) : (
          <GenerationProgressProvider making={making} usualMs={progress.usualMs}>
            <VideoPlaceholder aspectRatio={video.aspectRatio} text={WAITING[video.status]}>
              <Still id={video.id} className="bg-sunken object-contain" />
            </VideoPlaceholder>
            {video.status === 'generating' && <GenerationProgressBar id={video.id} />}
          </GenerationProgressProvider>
        )}
        <div className="clip-actions">
          <div className="clip-row">
            {isOwn ? (
              <OwnActions card={card} />
            ) : (
              <NamedActions
                card={card}
                actions={actionsOf(card).filter((one) => OTHERS.has(one))}
                lead={video.videoUrl !== null && <DownloadLink id={video.id} />}
              />
            )}
          </div>
        </div>
        {video.name && (
          <p dir="auto" className="break-words font-semibold">
            {video.name}
          </p>
        )}
        <FoldedPrompt prompt={video.prompt} className="text-sm" />
        {pictures.map((place) => {
          const { ending, text } = PICTURES[place]
          const url = `/media/${video.id}.${ending}`
          return (
            <p key={place} className="flex items-center gap-3 text-sm text-soft">
              <img src={url} alt="" loading="lazy" className="max-h-20 rounded" />
              <a href={url} className={textLinkClass}>
                {text}
              </a>
            </p>
          )
        })}
        <OrderTextLines video={video} className="break-words text-sm text-soft" />
        <p className="text-xs text-soft">
          {video.user.username} · {modelLabel(video.model)} · <DayTime instant={video.createdAt} />
        </p>
      </Card>
      <PressedForms />
      <GalleryDialogs opened={video} {...dialog} />
    </GalleryProvider>
  )
}

const WAITING = {
  pending: 'Queued',
  generating: 'Generating...',
  completed: 'The file is missing',
  error: 'There is no video',
} as const

/** What an administrator does here with the video of another user. */
const OTHERS: ReadonlySet<VideoAction> = new Set<VideoAction>(['download', 'delete'])

/** Returns a gallery of this one video, for the dialogs. */
function pageOf(video: VideoView): GalleryPage {
  const counts = { total: 1, completed: 0, inProgress: 0, failed: 0, cancelled: 0 }
  return {
    videos: [toCard(video)],
    pagination: { page: 1, limit: 1, totalPages: 1, totalCount: 1 },
    counts: { ...counts, portrait: counts, landscape: counts },
    version: 0,
    filters: { status: 'all', aspectRatio: 'all', search: '' },
    isMissing: false,
  }
}
