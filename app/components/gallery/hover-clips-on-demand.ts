import type { PointerEvent } from 'react'

/** Loaded with the first movement of a mouse over a gallery. */
const loadHoverClips = () => import('./hover-clips')

/** Without the file, a press still plays the clip. */
const follow = (target: EventTarget | null) =>
  void loadHoverClips()
    .then(({ followPointer }) => followPointer(target))
    .catch(() => undefined)

/** Handlers for the cards of a gallery: the clip under a resting mouse plays in its frame. */
export const playOnHover = {
  onPointerOver: ({ target, pointerType }: PointerEvent) => {
    if (pointerType === 'mouse') follow(target)
  },
  onPointerLeave: ({ pointerType }: PointerEvent) => {
    if (pointerType === 'mouse') follow(null)
  },
}
