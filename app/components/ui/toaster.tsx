import { lazy, Suspense, useCallback, useEffect, useState, type ComponentType } from 'react'
import { atFirstTouch } from './at-first-touch'
import type { LiveToastsProps, ShownToast } from './live-toasts'
import { PlainToast, TOAST_PLACE } from './toast-body'
import { listenForToasts, type ToastMessage } from './toasts'
import { useHydrated } from './use-hydrated'

// With their library they are a tenth of the scripts of a page, which seldom shows one at once.
const loadLiveToasts = () => import('./live-toasts')
atFirstTouch(loadLiveToasts)

/** Loaded when needed. If the file cannot be loaded, toasts are shown without it. */
const LiveToasts = lazy(async (): Promise<{ default: ComponentType<LiveToastsProps> }> => {
  try {
    return { default: (await loadLiveToasts()).LiveToasts }
  } catch {
    return { default: OnlyPlain }
  }
})

function OnlyPlain({ shown }: { shown: ShownToast | null }) {
  return shown && <PlainToast toast={shown.toast} className={TOAST_PLACE} />
}

/**
 * Shows the toast that a redirect left, and the toasts of the page's scripts. Until scripts run the
 * former is part of the page (`PageMessage`).
 */
export function Toaster({ toast }: { toast: ToastMessage | null }) {
  return useHydrated() ? <ScriptedToasts first={toast} /> : null
}

function ScriptedToasts({ first }: { first: ToastMessage | null }) {
  const [shown, setShown] = useState<ShownToast | null>(first && { id: 0, toast: first })
  const [run, setRun] = useState<ToastMessage | null>(null)
  const [seen, setSeen] = useState(first)
  // After the first toast the place for toasts stays, so that F8 finds it.
  const [isUsed, setUsed] = useState(first !== null)
  const show = useCallback((toast: ToastMessage) => {
    setUsed(true)
    if (toast.isRun) return setRun(toast)
    if (toast.endsRun) setRun(null)
    setShown((before) => ({ id: (before?.id ?? 0) + 1, toast }))
  }, [])
  const forget = useCallback(() => setShown(null), [])
  // A redirect to the same page passes its toast as a new prop.
  if (first !== seen) {
    setSeen(first)
    if (first) show(first)
  }
  useEffect(() => listenForToasts(show), [show])
  if (!isUsed) return null
  return (
    <Suspense fallback={<OnlyPlain shown={shown} />}>
      <LiveToasts shown={shown} run={run} onGone={forget} />
    </Suspense>
  )
}
