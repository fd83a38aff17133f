import { useLocation } from '@remix-run/react'
import { lazy, Suspense, useState, type ComponentType, type FunctionComponent } from 'react'
import { NO_CONNECTION, REQUEST_FAILED } from '~/lib/call-api'
import { readDialog } from '~/lib/dialog-address'
import { atFirstTouch } from './at-first-touch'
import { showToast } from './toasts'

const loads: (() => Promise<unknown>)[] = []

/**
 * Returns a component that shows something only while the URL names a dialog, and whose script browsers
 * fetch at the first press or key: for dialogs with the library of forms, which their pages do without. If
 * the script cannot be fetched, the page is loaded again from its URL, and the server renders the dialog.
 */
export function lateDialog<Props extends object>(
  fetchDialog: () => Promise<ComponentType<Props>>,
): FunctionComponent<Props> {
  let known: ComponentType<Props> | undefined
  const load = async () => (known ??= await fetchDialog())
  const Late = lazy(async () => {
    const Dialog = await load().catch(reloadPage)
    return { default: ({ props }: { props: Props }) => <Dialog {...props} /> }
  })
  // The server cannot wait while it renders, so it has every dialog before the first request.
  if (typeof document === 'undefined') void load()
  else {
    atFirstTouch(load)
    loads.push(load)
  }
  function Opened(props: Props) {
    // Switching later would lose the dialog's state.
    const [{ Dialog }] = useState({ Dialog: known })
    if (Dialog) return <Dialog {...props} />
    return (
      <Suspense>
        <Late props={props} />
      </Suspense>
    )
  }
  return function LateDialog(props: Props) {
    return isOpen(useLocation().search) ? <Opened {...props} /> : null
  }
}

const isOpen = (search: string) => readDialog(new URLSearchParams(search)).name !== null

/**
 * Loads the dialogs if the server has rendered one, before the page is hydrated: React hydrates what is in
 * a Suspense later, and text typed in between would be lost. Rejects if one cannot be loaded.
 */
export async function loadShownDialog(): Promise<void> {
  if (isOpen(location.search)) await Promise.all(loads.map((load) => load()))
}

/**
 * Without a connection it waits for one, and reloads only if the user is still at the same address. The
 * promise never settles, because nothing in this page should continue.
 */
function reloadPage(): Promise<never> {
  const { href } = window.location
  const reload = () => {
    if (window.location.href === href) window.location.reload()
  }
  if (navigator.onLine) reload()
  else {
    showToast({ kind: 'error', title: REQUEST_FAILED, description: NO_CONNECTION })
    addEventListener('online', reload, { once: true })
  }
  return new Promise<never>(() => undefined)
}
