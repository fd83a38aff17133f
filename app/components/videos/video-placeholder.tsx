import type { ReactNode } from 'react'
import type { AspectRatio } from '~/domain/videos/types'
import { RATIO_CLASS } from './ratio-class'
import { Icon } from '../ui/icon'

type PlaceholderProps = {
  aspectRatio: AspectRatio
  text: string
  /** Covers the text. */
  children?: ReactNode
}

/** The place of a video that does not exist yet, in its aspect ratio. */
export function VideoPlaceholder({ aspectRatio, text, children }: PlaceholderProps) {
  return (
    <div
      className={`relative mx-auto flex max-h-[50vh] w-full max-lg:max-h-48 flex-col items-center justify-center gap-3 rounded bg-sunken p-6 text-center text-sm text-soft ${RATIO_CLASS[aspectRatio]}`}
    >
      <Icon name="film" className="size-8" />
      {text}
      {children}
    </div>
  )
}
