import { useCallback, useMemo, useState } from 'react'
import type { GalleryPage } from '~/domain/videos/types'
import { isBusyWithCards } from './busy-with-cards'
import { inPlace, isSameList, waitingBefore } from './in-place'

/** Cards that wait while the user is busy with those that are shown. */
export type Held = { waiting: number; release: () => void }

export const NOTHING_HELD: Held = { waiting: 0, release: () => undefined }

type HeldPage = { page: GalleryPage; held: Held }

/**
 * Returns a page that its loader reads again now and then, with its cards in their places while the user
 * is busy with them.
 */
export function useHeldPage(loaded: GalleryPage): HeldPage {
  const [state, setState] = useState<{ loaded: GalleryPage; shown: GalleryPage['videos'] | null }>({
    loaded,
    shown: null,
  })
  if (state.loaded !== loaded) {
    const isHeld = isSameList(state.loaded, loaded) && isBusyWithCards()
    const before = state.shown ?? state.loaded.videos
    setState({ loaded, shown: isHeld ? inPlace(before, loaded) : null })
  }
  const { shown } = state
  const release = useCallback(() => setState((now) => ({ ...now, shown: null })), [])
  return useMemo(() => heldPage(loaded, shown, release), [loaded, shown, release])
}

/** Returns a page as it is shown, and what waits. */
export const heldPage = (
  page: GalleryPage,
  shown: GalleryPage['videos'] | null,
  release: () => void,
): HeldPage =>
  shown === null
    ? { page, held: NOTHING_HELD }
    : { page: { ...page, videos: shown }, held: { waiting: waitingBefore(shown, page), release } }
