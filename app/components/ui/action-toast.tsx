import { useEffect, useState } from 'react'
import { PlainToast } from './toast-body'
import { showToast, type ToastMessage } from './toasts'
import { useHydrated } from './use-hydrated'

/**
 * The toast of a form that failed, from the action's answer: part of the page without scripts, else
 * one of the page's toasts, with their five seconds.
 */
export function ActionToast({ toast }: { toast: ToastMessage | undefined }) {
  const isHydrated = useHydrated()
  // What the server rendered stays as it is; only answers that came later are announced.
  const [rendered] = useState(isHydrated ? undefined : toast)
  useEffect(() => {
    if (toast && toast !== rendered) showToast(toast)
  }, [toast, rendered])
  return toast && toast === rendered ? <PlainToast toast={toast} /> : null
}
