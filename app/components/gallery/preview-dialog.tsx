import { Link, NavigationType, useLocation, useNavigate, useNavigationType } from '@remix-run/react'
import { useEffect, useRef } from 'react'
import type { CardView } from '~/domain/videos/types'
import { dialogAddress } from '~/lib/dialog-address'
import { CopyButton } from '../ui/copy-button'
import { Dialog } from '../ui/dialog'
import { Icon } from '../ui/icon'
import { showToast } from '../ui/toasts'
import { writeClipboard } from '../ui/write-clipboard'
import { VideoPlaceholder } from '../videos/video-placeholder'
import { VideoPlayer } from '../videos/video-player'
import { DownloadLink, OwnActions } from './own-actions'
import { useGallery } from './gallery-context'
import { JUST_READY, VIDEO_READY } from './just-ready'
import type { OpenedVideo } from './use-opened-video'

type Props = {
  video: OpenedVideo
  /** Called if the player cannot load the clip. */
  onFailed: () => void
}

/**
 * Plays a video in a dialog over the gallery. The dialog is narrow for portrait and wide for
 * landscape videos. The arrow keys and two links lead to its neighbours on the page.
 */
export function PreviewDialog({ video, onFailed }: Props) {
  const { scope } = useGallery()
  // The state stays in the history, where Back and Forward find it again.
  const isAgain = useNavigationType() === NavigationType.Pop
  const isNews = useLocation().state === JUST_READY && !isAgain
  return (
    <Dialog title="Video Preview" width={video.aspectRatio === 'portrait' ? 'narrow' : 'wide'}>
      {isNews && (
        <p
          data-toast="stays"
          role="status"
          className="absolute right-14 top-7 text-xs font-semibold text-good tiny:static"
        >
          {VIDEO_READY}
        </p>
      )}
      <div className="space-y-4">
        {video.videoUrl ? (
          <VideoPlayer video={video} autoPlay fit="dialog" onError={onFailed} />
        ) : (
          <VideoPlaceholder aspectRatio={video.aspectRatio} text="This video is not ready yet" />
        )}
        {video.name && (
          <p dir="auto" className="break-words font-semibold">
            {video.name}
          </p>
        )}
        <PromptText text={video.prompt} isWhole={video.isWhole} />
        <div className="clip-actions">
          <div className="clip-row">
            {scope === 'mine' ? (
              <OwnActions card={video} />
            ) : (
              video.videoUrl !== null && <DownloadLink id={video.id} />
            )}
            <Neighbours id={video.id} />
          </div>
        </div>
      </div>
    </Dialog>
  )
}

/** Links to the previous and the next video of the page that can be played. */
function Neighbours({ id }: { id: string }) {
  const { page, search } = useGallery()
  const playable = page.videos.filter((card) => card.videoUrl !== null)
  const place = playable.findIndex((card) => card.id === id)
  const [previous, next] = place < 0 ? [] : [playable[place - 1], playable[place + 1]]
  const addressOf = (card: CardView | undefined) =>
    card && dialogAddress(search, 'preview', card.id)
  useArrowKeys({ ArrowLeft: addressOf(previous), ArrowRight: addressOf(next) })
  if (!previous && !next) return null
  return (
    <div className="clip-neighbours">
      <NeighbourLink label="Previous video" icon="chevron-left" to={addressOf(previous)} />
      <NeighbourLink label="Next video" icon="chevron-right" to={addressOf(next)} />
    </div>
  )
}

type NeighbourProps = {
  label: string
  icon: 'chevron-left' | 'chevron-right'
  to: string | undefined
}

const NeighbourLink = ({ label, icon, to }: NeighbourProps) =>
  to === undefined ? (
    <span className="icon-btn opacity-40 hover:bg-transparent">
      <Icon name={icon} className="size-5" />
    </span>
  ) : (
    <Link
      to={to}
      replace
      preventScrollReset
      aria-label={label}
      data-tooltip={label}
      className="icon-btn"
    >
      <Icon name={icon} className="size-5" />
    </Link>
  )

/** Goes to the address of a key. The player would seek instead, so its keys are taken before. */
function useArrowKeys(addresses: Readonly<Record<string, string | undefined>>): void {
  const navigate = useNavigate()
  const latest = useRef(addresses)
  useEffect(() => {
    latest.current = addresses
  })
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
      if (!Object.hasOwn(latest.current, event.key)) return
      event.preventDefault()
      const to = latest.current[event.key]
      if (to !== undefined) navigate(to, { replace: true, preventScrollReset: true })
    }
    addEventListener('keydown', onKey, { capture: true })
    return () => removeEventListener('keydown', onKey, { capture: true })
  }, [navigate])
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
        className="max-h-24 min-w-0 grow overflow-y-auto whitespace-pre-wrap break-words text-sm"
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
