import type { ReactNode } from 'react'
import type { AspectRatio } from '~/domain/videos/types'
import { RATIO_CLASS } from './ratio-class'
import { Icon } from '../ui/icon'

type PlaceholderProps = {
  aspectRatio: AspectRatio
  text: string
  /** On narrow screens only a strip as high as the text. */
  isSlim?: boolean
  /** Covers the text. */
  children?: ReactNode
}

const SPROCKETS = 'sprockets absolute inset-x-1 opacity-40'

/** The place of a video that does not exist yet: an empty piece of film in its aspect ratio. */
export function VideoPlaceholder({
  aspectRatio,
  text,
  isSlim = false,
  children,
}: PlaceholderProps) {
  return (
    <div
      className={`relative mx-auto flex max-h-[50vh] w-full flex-col items-center justify-center gap-3 overflow-hidden rounded bg-film p-6 text-center text-sm text-film-on max-lg:max-h-48 ${RATIO_CLASS[aspectRatio]} ${isSlim ? 'max-lg:aspect-auto max-lg:min-h-11 max-lg:flex-row max-lg:gap-2 max-lg:!p-2' : ''}`}
    >
      <span aria-hidden className={`${SPROCKETS} top-1.5 ${isSlim ? 'max-lg:hidden' : ''}`} />
      <span aria-hidden className={`${SPROCKETS} bottom-1.5 ${isSlim ? 'max-lg:hidden' : ''}`} />
      <Icon name="film" className={isSlim ? 'size-8 max-lg:size-4' : 'size-8'} />
      {text}
      {children}
    </div>
  )
}
