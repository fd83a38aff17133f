import { useLocation, useNavigate, useNavigation } from '@remix-run/react'
import { useEffect, useRef } from 'react'
import { trackedOf, type Work } from '~/domain/batches/work'
import { isInProgress, tellsFailure } from '~/domain/videos/rules'
import type { CardView } from '~/domain/videos/types'
import { dialogAddress, readDialog } from '~/lib/dialog-address'
import { excerpt } from '~/lib/text'
import { JUST_READY, VIDEO_READY } from '~/components/gallery/just-ready'
import { showToast } from '~/components/ui/toasts'

/**
 * Reports the end of the followed video, once the whole page shows it. A finished video opens its
 * preview (specification §3) on the page that started it, which is the page whose address names it.
 * On the user's other pages, and while the user is typing, choosing or has a dialog open, the toast
 * has a button that opens it, and the page does not change. So it is with one that was followed before
 * another one was started: its card tells its end.
 */
export function useEndedVideo(
  work: Pick<Work, 'watched' | 'single'>,
  cards: readonly CardView[],
): void {
  const navigate = useNavigate()
  const { search } = useLocation()
  const isSending = useNavigation().state !== 'idle'
  const followed = useRef(new Set<string>())
  const latest = useRef({ search, isSending, navigate })
  useEffect(() => {
    latest.current = { search, isSending, navigate }
  })
  useEffect(() => {
    const { watched } = work
    for (const one of [watched, trackedOf(work)])
      if (one && isInProgress(one)) followed.current.add(one.id)
    const all = watched ? [watched, ...cards.filter(({ id }) => id !== watched.id)] : cards
    const ended = all.filter((one) => !isInProgress(one) && followed.current.delete(one.id))
    const open = (id: string, state?: typeof JUST_READY) => {
      const { navigate, search } = latest.current
      navigate(dialogAddress(search, 'preview', id), { preventScrollReset: true, state })
    }
    const ready: Told[] = []
    for (const one of ended) {
      if (one.status !== 'completed' || tellsFailure(one)) tellFailure(one)
      else if (one.errorMessage !== null) showToast({ kind: 'info', title: one.errorMessage })
      else ready.push(one)
    }
    const [newest] = ready
    if (!newest) return
    const { search, isSending } = latest.current
    const params = new URLSearchParams(search)
    const isOwn = params.get('watch') === newest.id
    const opens = isOwn && !isSending && !isInField() && readDialog(params).name === null
    // The preview says it itself.
    if (opens) open(newest.id, JUST_READY)
    const told = opens ? ready.slice(1) : ready
    const [first] = told
    if (!first) return
    showToast({
      kind: 'success',
      title: told.length === 1 ? VIDEO_READY : `${told.length} videos ready!`,
      description: told.map(({ prompt }) => excerpt(prompt, 60)).join(', '),
      isPolite: true,
      action: { label: 'Play', onPress: () => open(first.id) },
    })
  }, [work, cards])
}

/** What is said of a video that has ended. */
type Told = Pick<CardView, 'id' | 'prompt' | 'errorMessage'>

function tellFailure({ errorMessage }: Told): void {
  const description = errorMessage ?? 'An error occurred'
  showToast({ kind: 'error', title: 'Generation failed', description })
}

const isInField = () => document.activeElement?.matches('input, textarea, select') === true
