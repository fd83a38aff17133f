import { useActionData, useRouteLoaderData } from '@remix-run/react'
import { useEffect, useState } from 'react'
import type { loader } from '~/root'
import { FormToast, PlainToast } from './toast-body'
import { showToast, type ToastMessage } from './toasts'
import { useHydrated } from './use-hydrated'

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
  const answered = useRendered(useActionData<{ toast?: LeftToast }>()?.toast)
  const toast = answered ?? left
  return (
    toast && (
      <div className="mb-4">
        <FormToast toast={toast} />
      </div>
    )
  )
}

type LeftToast = Pick<ToastMessage, 'kind' | 'title' | 'description'>

function useLeftToast(): LeftToast | null {
  const root = useRouteLoaderData<typeof loader>('root')
  return useHydrated() ? null : (root?.toast ?? null)
}
