import type { PointerEvent } from 'react'
import { actionsOnDemand } from '../ui/actions-on-demand'

const load = () => import('./gallery-actions')

/** Loads the actions of cards and galleries and runs one of them. */
export const withGalleryActions = actionsOnDemand(load)

const follow = (pointerType: string, target: EventTarget | null): void => {
  if (pointerType !== 'mouse') return
  load().then(
    ({ followPointer }) => followPointer(target),
    () => undefined,
  )
}

/** Handlers for the cards of a gallery: the clip under a resting mouse plays in its frame. */
export const playOnHover = {
  onPointerOver: ({ target, pointerType }: PointerEvent) => follow(pointerType, target),
  onPointerLeave: ({ pointerType }: PointerEvent) => follow(pointerType, null),
}
