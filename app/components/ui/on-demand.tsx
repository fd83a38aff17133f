import { lazy, Suspense, useState, type ComponentType, type FunctionComponent } from 'react'
import { NO_CONNECTION, REQUEST_FAILED } from '~/lib/call-api'
import { readDialog } from '~/lib/dialog-address'
import { showToast } from './toasts'

type Part = {
  load: () => Promise<unknown>
  /** Matches the part in the server's page. Null for dialogs and for a part that shows nothing. */
  shownBy: string | null
}

const parts: Part[] = []
let isTouched = false

/**
 * Creates a component whose script is a file of its own. The file is loaded at the first
 * interaction with the page, so that it is available when needed. If the server has rendered the
 * component (the selector `shownBy` finds it, or the URL names a dialog), it is loaded before the
 * page is hydrated. If the file cannot be loaded, the page is loaded again from its URL, and the
 * server renders the component.
 */
export function onDemand<Props extends object>(
  fetchPart: () => Promise<ComponentType<Props>>,
  shownBy: string | null = null,
): FunctionComponent<Props> {
  let known: ComponentType<Props> | undefined
  const load = async () => (known ??= await fetchPart())
  const Late = lazy(async () => {
    const Part = await load().catch(reloadPage)
    return { default: ({ props }: { props: Props }) => <Part {...props} /> }
  })
  addPart({ load, shownBy })
  return function OnDemand(props: Props) {
    // Each instance keeps the variant that it started with. Switching would lose the component's
    // state.
    const [{ Part }] = useState({ Part: known })
    // React hydrates the content of a Suspense after the rest of the page, so it is used only where
    // needed.
    if (Part) return <Part {...props} />
    return (
      <Suspense>
        <Late props={props} />
      </Suspense>
    )
  }
}

/**
 * Loads a file at the first interaction with the page, so that what is behind the page's buttons also
 * works if the network fails later.
 */
export function loadEarly(load: () => Promise<unknown>): void {
  addPart({ load, shownBy: null })
}

function addPart(part: Part): void {
  parts.push(part)
  // The server cannot wait while it renders, so it loads every part long before the first request.
  if (typeof document === 'undefined' || isTouched) part.load().catch(() => undefined)
}

/**
 * Reloads the page. Without a connection it waits for one, and reloads only if the user is still at
 * the same address. The promise never settles, because nothing in this page should continue.
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

/**
 * Loads the parts that the server has rendered on this page: all of them if the URL names a dialog,
 * because a dialog may have nothing to show. Rejects if one cannot be loaded.
 */
export async function loadShownParts(): Promise<void> {
  const isDialog = readDialog(new URLSearchParams(location.search)).name !== null
  const shown = parts.filter(
    ({ shownBy }) => isDialog || (shownBy !== null && document.querySelector(shownBy)),
  )
  await Promise.all(shown.map(({ load }) => load()))
}

/** Loads all parts of the page, and from now on also those of later pages. */
export function loadAllParts(): void {
  isTouched = true
  for (const { load } of parts) load().catch(() => undefined)
}
