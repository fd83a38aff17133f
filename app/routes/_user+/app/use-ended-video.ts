import { useLocation, useNavigate, useNavigation } from '@remix-run/react'
import { useEffect, useRef } from 'react'
import { trackedOf, type Work } from '~/domain/batches/work'
import { isInProgress, tellsFailure } from '~/domain/videos/rules'
import type { VideoView } from '~/domain/videos/types'
import { dialogAddress, readDialog } from '~/lib/dialog-address'
import { excerpt } from '~/lib/text'
import { JUST_READY, VIDEO_READY } from '~/components/gallery/just-ready'
import { showToast } from '~/components/ui/toasts'

/**
 * Reports the end of the followed video, once the whole page shows it. A finished video opens its
 * preview (specification §3) on the page that started it, which is the page whose address names it.
 * On the user's other pages, and while the user is typing, choosing or has a dialog open, the toast
 * has a button that opens it, and the page does not change.
 */
export function useEndedVideo(work: Pick<Work, 'watched' | 'single'>): void {
  const navigate = useNavigate()
  const { search } = useLocation()
  const isSending = useNavigation().state !== 'idle'
  const followed = useRef<string | null>(null)
  const latest = useRef({ search, isSending, navigate })
  useEffect(() => {
    latest.current = { search, isSending, navigate }
  })
  useEffect(() => {
    const { watched } = work
    const tracked = trackedOf(work)
    const hasEnded = watched !== null && watched.id === followed.current && !isInProgress(watched)
    if (tracked && isInProgress(tracked)) followed.current = tracked.id
    else if (hasEnded) followed.current = null
    if (!hasEnded) return
    const open = (state?: typeof JUST_READY) => {
      const { navigate, search } = latest.current
      navigate(dialogAddress(search, 'preview', watched.id), { preventScrollReset: true, state })
    }
    if (watched.status !== 'completed' || tellsFailure(watched)) return tellFailure(watched)
    if (watched.errorMessage !== null)
      return showToast({ kind: 'info', title: watched.errorMessage })
    const { search, isSending } = latest.current
    const params = new URLSearchParams(search)
    const isOwn = params.get('watch') === watched.id
    const opens = isOwn && !isSending && !isInField() && readDialog(params).name === null
    // The preview says it itself.
    if (opens) return open(JUST_READY)
    showToast({
      kind: 'success',
      title: VIDEO_READY,
      description: excerpt(watched.prompt, 60),
      isPolite: true,
      action: { label: 'Play', onPress: () => open() },
    })
  }, [work])
}

function tellFailure({ errorMessage }: VideoView): void {
  const description = errorMessage ?? 'An error occurred'
  showToast({ kind: 'error', title: 'Generation failed', description })
}

const isInField = () => document.activeElement?.matches('input, textarea, select') === true
