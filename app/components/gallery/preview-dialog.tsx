import { paths } from '~/lib/paths'
import { buttonClass } from '../ui/button'
import { CopyButton } from '../ui/copy-button'
import { Dialog } from '../ui/dialog'
import { showToast } from '../ui/toasts'
import { writeClipboard } from '../ui/write-clipboard'
import { VideoPlaceholder } from '../videos/video-placeholder'
import { VideoPlayer } from '../videos/video-player'
import { downloadVideo } from './downloads'
import { useGallery } from './gallery-context'
import type { OpenedVideo } from './use-opened-video'

type Props = {
  video: OpenedVideo
  /** Called if the player cannot load the clip. */
  onFailed: () => void
}

/**
 * Plays a video in a dialog over the gallery. The dialog is narrow for portrait and wide for
 * landscape videos.
 */
export function PreviewDialog({ video, onFailed }: Props) {
  const { scope } = useGallery()
  return (
    <Dialog title="Video Preview" width={video.aspectRatio === 'portrait' ? 'narrow' : 'wide'}>
      <div className="space-y-4">
        {video.videoUrl ? (
          <VideoPlayer video={video} autoPlay fit="dialog" onError={onFailed} />
        ) : (
          <VideoPlaceholder aspectRatio={video.aspectRatio} text="This video is not ready yet" />
        )}
        <PromptText text={video.prompt} isWhole={video.isWhole} />
        {video.videoUrl && (
          <a
            href={paths.api.download(video.id)}
            download
            onClick={(event) => {
              event.preventDefault()
              void downloadVideo(video.id, scope)
            }}
            className={buttonClass('primary', 'w-full sm:w-auto')}
          >
            Download Video
          </a>
        )}
      </div>
    </Dialog>
  )
}

/** A double click copies the prompt (specification §2). */
function PromptText({ text, isWhole }: { text: string; isWhole: boolean }) {
  const copy = async () => showToast((await writeClipboard(text)) ? COPIED : NOT_COPIED)
  return (
    <div className="flex items-start gap-2">
      {/* The button beside it does the same for keyboards and touch screens. */}
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <p
        dir="auto"
        onDoubleClick={() => void copy()}
        className="max-h-40 min-w-0 grow overflow-y-auto whitespace-pre-wrap break-words text-sm"
      >
        {text}
        {!isWhole && '…'}
      </p>
      <CopyButton
        text={text}
        label="Copy prompt"
        className="-mr-2 -mt-3"
        onCopied={() => showToast(COPIED)}
        onFailed={() => showToast(NOT_COPIED)}
      />
    </div>
  )
}

const COPIED = { kind: 'success', title: 'Copied!' } as const
const NOT_COPIED = { kind: 'error', title: 'Failed to copy' } as const
