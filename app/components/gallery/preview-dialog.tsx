import { Link, useNavigate } from '@remix-run/react'
import { useEffect, useRef } from 'react'
import type { CardView } from '~/domain/videos/types'
import { dialogAddress } from '~/lib/dialog-address'
import { paths } from '~/lib/paths'
import { buttonClass } from '../ui/button'
import { CopyButton } from '../ui/copy-button'
import { Dialog } from '../ui/dialog'
import { Icon } from '../ui/icon'
import { showToast } from '../ui/toasts'
import { useRootData } from '../ui/use-root-data'
import { writeClipboard } from '../ui/write-clipboard'
import { VideoPlaceholder } from '../videos/video-placeholder'
import { VideoPlayer } from '../videos/video-player'
import { MoreLink, StarButton } from './card-actions'
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
 * landscape videos. The arrow keys and two links lead to its neighbours on the page.
 */
export function PreviewDialog({ video, onFailed }: Props) {
  const { scope } = useGallery()
  const root = useRootData()
  return (
    <Dialog title="Video Preview" width={video.aspectRatio === 'portrait' ? 'narrow' : 'wide'}>
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
        <div className="flex flex-wrap items-center gap-2 max-sm:[&>:is(a,button)>span]:sr-only">
          {video.videoUrl && (
            <a
              href={paths.api.download(video.id)}
              download
              onClick={(event) => {
                event.preventDefault()
                void downloadVideo(video.id, scope)
              }}
              className={buttonClass('primary', 'max-sm:grow')}
            >
              Download Video
            </a>
          )}
          {scope === 'mine' && <MoreLink card={video} />}
          {scope === 'mine' && <StarButton card={video} isNamed />}
          {scope === 'mine' && video.videoUrl && root?.continues && (
            <Link to={paths.continueClip(video.id)} className={buttonClass('plain')}>
              <Icon name="image-play" className="size-4" />
              <span>Continue this clip</span>
            </Link>
          )}
          {scope === 'mine' && video.videoUrl && (
            <Link to={`${paths.video(video.id)}#collections`} className={buttonClass('plain')}>
              <Icon name="folder" className="size-4" />
              <span>Collections</span>
            </Link>
          )}
          <Neighbours id={video.id} />
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
    <div className="ml-auto flex">
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
