import type { BatchProgress } from '~/domain/batches/types'
import type { VideoView } from '~/domain/videos/types'
import { USUAL } from '~/domain/videos/offer'
import { NO_CONNECTION } from '~/lib/call-api'
import { HoldNotes } from '~/components/gallery/hold-notes'
import type { LiveGallery } from '~/components/gallery/use-live-gallery'
import { VideoPlaceholder } from '~/components/videos/video-placeholder'
import { BatchPanel } from './batch-panel'
import { FirstRun } from './first-run'
import { STATUS_ID } from './use-started-work'
import { NO_VIDEO } from './video-names'
import { VideoPanel, VideoPicture } from './video-panel'

type Props = {
  video: VideoView | null
  /** Seconds until the next poll of the video. Null if none is polled. */
  secondsLeft: number | null
  progress: BatchProgress | null
  isExpired: boolean
  /** Whether the account may start work. */
  mayStart: boolean
  formKey: string
  now: Date
  live: LiveGallery
  resolutions: Record<string, string>
}

/** The current work, what happens next and when, and the finished video. */
export function WorkCard(props: Props) {
  const { video, secondsLeft, progress, isExpired, mayStart, formKey, now, live, resolutions } =
    props
  const isBusy = video !== null || progress !== null
  const isFirstRun = !isBusy && live.page.counts.total === 0 && mayStart && live.quota.remaining > 0
  return (
    <section
      id={STATUS_ID}
      aria-labelledby={TITLE_ID}
      // Scripts move the focus here.
      tabIndex={-1}
      className={`create-work ${isBusy ? 'create-busy' : ''} ${progress ? 'create-batch' : ''}`}
    >
      <div className={progress ? 'sr-only' : 'flex min-h-6 items-baseline gap-3'}>
        <h2 id={TITLE_ID} className="eyebrow">
          Status
        </h2>
        {!isBusy && <Idle />}
      </div>
      {progress && <BatchPanel progress={progress} isExpired={isExpired} now={now} />}
      {video && (
        <div
          className={
            video.aspectRatio === 'portrait'
              ? 'grid grid-cols-[7.5rem_minmax(0,1fr)] gap-4 xl:grid-cols-[9.5rem_minmax(0,1fr)] tiny:grid-cols-1'
              : 'space-y-3'
          }
        >
          <VideoPanel
            video={video}
            secondsLeft={secondsLeft}
            isFirst={live.page.counts.completed === 1}
            resolution={resolutions[video.model] ?? USUAL.resolution}
          />
          <div className={video.aspectRatio === 'portrait' ? 'order-first' : undefined}>
            <VideoPicture key={video.id} video={video} />
          </div>
        </div>
      )}
      {live.holds.length > 0 && <HoldNotes {...live} />}
      {isBusy && live.isFailing && <Outage />}
      {!isBusy && <VideoPlaceholder aspectRatio="landscape" text={NO_VIDEO} isSlim />}
      {isFirstRun && <FirstRun formKey={formKey} />}
    </section>
  )
}

const TITLE_ID = 'status-title'

/** The gallery announces the failure, but on a phone it is far below. */
function Outage() {
  return (
    <p className="rounded border border-warn p-3 text-sm">
      {NO_CONNECTION} Your videos are still being made, and this page keeps trying.
    </p>
  )
}

function Idle() {
  return (
    <p className="text-sm text-soft" aria-live="polite">
      Nothing running.
    </p>
  )
}
