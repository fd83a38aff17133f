import { Link } from '@remix-run/react'
import type { AspectRatio } from '~/domain/videos/types'
import { buttonClass } from '~/components/ui/button'
import { Icon } from '~/components/ui/icon'
import { textLinkClass } from '~/components/ui/text-link'
import { FoldedPrompt } from '~/components/videos/folded-prompt'
import { VideoPlayer } from '~/components/videos/video-player'

type Props = {
  /** Null if its owner does not show it. */
  prompt: string | null
  aspectRatio: AspectRatio
  clipPath: string
  posterPath: string | null
  downloadPath: string
  /** The collection that it is shown with. */
  back: string | null
}

/** A shared clip: the player, its prompt if it is shown, and its download. */
export function SharedClip(props: Props) {
  const { prompt, aspectRatio, clipPath, posterPath, downloadPath, back } = props
  const clip = {
    prompt: prompt ?? '',
    aspectRatio,
    videoUrl: clipPath,
    thumbnailUrl: posterPath,
    completedAt: null,
    regenerateCount: 0,
  }
  return (
    <div className="mx-auto flex max-w-3xl flex-col items-center gap-5 px-4 pt-8">
      <h1 className="sr-only">Video</h1>
      <VideoPlayer video={clip} />
      {prompt !== null && <FoldedPrompt prompt={prompt} className="max-w-prose text-soft" />}
      <a href={downloadPath} download className={buttonClass('primary')}>
        <Icon name="download" className="size-4" />
        Download
      </a>
      {back !== null && (
        <Link to={back} className={`${textLinkClass} text-sm`}>
          All clips of this collection
        </Link>
      )}
    </div>
  )
}
