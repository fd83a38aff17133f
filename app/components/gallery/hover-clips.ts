import type { PointerEvent } from 'react'
import { isSending } from '../ui/staying-forms'

/** How long a mouse rests on a frame before its clip plays. */
const DELAY_MS = 400

let frame: HTMLElement | null = null
let clip: HTMLVideoElement | undefined
let timer: ReturnType<typeof setTimeout> | undefined

/**
 * Plays the clip of the frame that the pointer has reached, muted and after a moment, and stops the one
 * that it has left. Does nothing for those who want less motion or less data.
 */
export function followPointer(target: EventTarget | null): void {
  const reached = target instanceof Element ? target.closest<HTMLElement>('.card-frame') : null
  if (reached === frame) return
  stop()
  frame = reached
  // Without a connection the poster stays; the browser would report the clip as missing.
  if (frame && navigator.onLine && !wantsLess()) timer = setTimeout(play, DELAY_MS)
}

/** Handlers for the cards of a gallery: the clip under a resting mouse plays in its frame. */
export const playOnHover = {
  onPointerOver: ({ target, pointerType }: PointerEvent) => {
    if (pointerType === 'mouse') followPointer(target)
  },
  onPointerLeave: () => followPointer(null),
}

function stop(): void {
  clearTimeout(timer)
  clip?.remove()
  // Otherwise the browser goes on loading it.
  clip?.removeAttribute('src')
  clip?.load()
  clip = undefined
}

function play(): void {
  const source = frame?.dataset.clip
  if (!frame?.isConnected || source === undefined || isChanging()) return
  clip = document.createElement('video')
  Object.assign(clip, { muted: true, loop: true, playsInline: true, src: source })
  clip.className = 'card-clip'
  clip.setAttribute('aria-hidden', 'true')
  // Below the chips and the box; the poster stays until the first picture of the clip.
  frame.querySelector('.card-chips')?.before(clip)
  clip.play().catch(stop)
}

/** Whether a video of the page may be gone: one may be deleted at this moment, or was and is still shown. */
const isChanging = (): boolean =>
  isSending() || document.querySelector('dialog[open], [data-stale]') !== null

const wantsLess = (): boolean =>
  ['(prefers-reduced-motion: reduce)', '(prefers-reduced-data: reduce)'].some(
    (query) => matchMedia(query).matches,
  )
