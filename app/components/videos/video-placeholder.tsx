import type { ReactNode } from 'react'
import type { AspectRatio } from '~/domain/videos/types'
import { RATIO_CLASS } from './ratio-class'
import { Icon } from '../ui/icon'

type PlaceholderProps = {
  aspectRatio: AspectRatio
  text: string
  /** On phones only a strip as high as the text. */
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
      className={`relative mx-auto flex max-h-[50vh] w-full flex-col items-center justify-center gap-3 overflow-hidden rounded bg-film p-6 text-center text-sm text-film-on max-lg:max-h-48 ${RATIO_CLASS[aspectRatio]} ${isSlim ? 'max-md:aspect-auto max-md:min-h-11 max-md:flex-row max-md:gap-2 max-md:!p-2' : ''}`}
    >
      <span aria-hidden className={`${SPROCKETS} top-1.5 ${isSlim ? 'max-md:hidden' : ''}`} />
      <span aria-hidden className={`${SPROCKETS} bottom-1.5 ${isSlim ? 'max-md:hidden' : ''}`} />
      <Icon name="film" className={isSlim ? 'size-8 max-md:size-4' : 'size-8'} />
      {text}
      {children}
    </div>
  )
}
