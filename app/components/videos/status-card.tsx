import type { VideoStatus, VideoView } from '~/domain/videos/types'
import { modelLabel } from '~/domain/videos/rules'
import { excerpt } from '~/lib/text'
import { paths } from '~/lib/paths'
import { buttonClass } from '../ui/button'
import { Card } from '../ui/card'
import { STATUS_WORDS } from './status-words'
import { VideoPlaceholder, VideoPlayer } from './video-player'

const PROGRESS_TEXT = {
  pending: 'In the line. It starts by itself.',
  generating: 'Being made. This takes a few seconds to a few minutes.',
  completed: 'Ready to play and download.',
  error: '',
} as const satisfies Record<VideoStatus, string>

/** What is happening to the video that is followed, and the video once it is there. */
export function StatusCard({ video }: { video: VideoView | null }) {
  return (
    <Card title="Status" className="h-fit">
      <div aria-live="polite" className="mb-4 text-sm">
        {video ? <StatusText video={video} /> : <p className="text-soft">Nothing is being made.</p>}
      </div>
      {video?.videoUrl ? (
        <div className="space-y-3">
          <VideoPlayer video={video} />
          <a
            href={paths.api.download(video.id)}
            download
            className={buttonClass('plain', 'w-full')}
          >
            Download Video
          </a>
        </div>
      ) : (
        <VideoPlaceholder
          aspectRatio={video?.aspectRatio ?? 'landscape'}
          text="Your video will appear here"
        />
      )}
    </Card>
  )
}

function StatusText({ video }: { video: VideoView }) {
  const { label, icon: Icon, tone } = STATUS_WORDS[video.status]
  return (
    <div className="space-y-1">
      <p className={`flex items-center gap-2 font-medium ${tone}`}>
        <Icon aria-hidden className="size-4" />
        {label}
      </p>
      <p className="break-words">{excerpt(video.prompt, 160)}</p>
      <p className="text-soft">{video.errorMessage ?? PROGRESS_TEXT[video.status]}</p>
      <p className="text-xs text-soft">{modelLabel(video.model)}</p>
    </div>
  )
}
