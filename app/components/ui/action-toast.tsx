import { useActionData } from '@remix-run/react'
import { useEffect, useRef, useState } from 'react'
import { FormToast, PlainToast } from './toast-body'
import { showToast, type ToastMessage } from './toasts'
import { useHydrated } from './use-hydrated'
import { useRootData } from './use-root-data'

/**
 * Shows the toast of a failed form from the action's response. Without scripts it is part of the
 * page, with scripts it is one of the page's toasts and visible for five seconds.
 */
export function ActionToast({ toast }: { toast: ToastMessage | undefined }) {
  const rendered = useRendered(toast)
  useEffect(() => {
    if (toast && toast !== rendered) showToast(toast)
  }, [toast, rendered])
  return toast && toast === rendered ? <PlainToast toast={toast} /> : null
}

/**
 * Returns the toast if the server rendered it. Such a toast stays in the page; only toasts of later
 * responses are announced.
 */
function useRendered(toast: ToastMessage | undefined): ToastMessage | undefined {
  const isHydrated = useHydrated()
  const [rendered] = useState(isHydrated ? undefined : toast)
  return rendered
}

/** The toast that a redirect left, until scripts show it (app/components/ui/toaster.tsx). */
export function PageMessage() {
  const toast = useLeftToast()
  return toast && <PlainToast toast={toast} />
}

/**
 * Says inside a dialog why its form failed, unless a field says it. The page's toast disappears, and
 * the dialog covers messages that the server rendered. In a long dialog it is scrolled into view,
 * unless the focus moves to an invalid field.
 */
export function DialogMessage() {
  const left = useLeftToast()
  const response = useActionData<FormResponse>()
  const isRendered = useRendered(response?.toast) === response?.toast
  const toast = response?.toast ?? left
  const errors = Object.values(response?.result?.error ?? {}).flat()
  const isAboutFields = errors.length > 0
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (response && !isAboutFields) box.current?.scrollIntoView({ block: 'center' })
  }, [response, isAboutFields])
  if (!toast) return null
  // A field's error below may have the same text.
  const isSaid = errors.includes(toast.description ?? null)
  if (isSaid && !isRendered) return null
  return (
    <div ref={box} className="mb-4">
      <FormToast toast={isSaid ? { kind: toast.kind, title: toast.title } : toast} />
    </div>
  )
}

type FormResponse = {
  toast?: LeftToast
  result?: { error?: Record<string, string[] | null> | null }
}
type LeftToast = Pick<ToastMessage, 'kind' | 'title' | 'description'>

function useLeftToast(): LeftToast | null {
  const root = useRootData()
  return useHydrated() ? null : (root?.toast ?? null)
}
