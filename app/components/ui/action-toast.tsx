import { useActionData } from '@remix-run/react'
import { useEffect, useState } from 'react'
import { FormToast, PlainToast } from './toast-body'
import { showToast, type ToastMessage } from './toasts'
import { useHydrated } from './use-hydrated'
import { useRootData } from './use-root-data'

/**
 * The toast of a form that failed, from the action's answer: part of the page without scripts, else
 * one of the page's toasts, with their five seconds.
 */
export function ActionToast({ toast }: { toast: ToastMessage | undefined }) {
  const rendered = useRendered(toast)
  useEffect(() => {
    if (toast && toast !== rendered) showToast(toast)
  }, [toast, rendered])
  return toast && toast === rendered ? <PlainToast toast={toast} /> : null
}

/** What the server rendered stays as it is; only answers that came later are announced. */
function useRendered(toast: ToastMessage | undefined): ToastMessage | undefined {
  const isHydrated = useHydrated()
  const [rendered] = useState(isHydrated ? undefined : toast)
  return rendered
}

/** The message a redirect left, until scripts show it (app/components/ui/toaster.tsx). */
export function PageMessage() {
  const toast = useLeftToast()
  return toast && <PlainToast toast={toast} />
}

/** In a dialog that the server rendered: what the page would say behind it. */
export function DialogMessage() {
  const left = useLeftToast()
  const answer = useActionData<FormAnswer>()
  const toast = useRendered(answer?.toast) ?? left
  if (!toast) return null
  // A field just below may say the same.
  const isSaid = Object.values(answer?.result?.error ?? {})
    .flat()
    .includes(toast.description ?? null)
  return (
    <div className="mb-4">
      <FormToast toast={isSaid ? { kind: toast.kind, title: toast.title } : toast} />
    </div>
  )
}

type FormAnswer = {
  toast?: LeftToast
  result?: { error?: Record<string, string[] | null> | null }
}
type LeftToast = Pick<ToastMessage, 'kind' | 'title' | 'description'>

function useLeftToast(): LeftToast | null {
  const root = useRootData()
  return useHydrated() ? null : (root?.toast ?? null)
}
