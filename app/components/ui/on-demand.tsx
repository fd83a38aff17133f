import { lazy, Suspense, useState, type ComponentType, type FunctionComponent } from 'react'

type Part = { load: () => Promise<unknown>; shownBy: string }

const parts: Part[] = []
let isTouched = false

/**
 * A part of a page whose script is a file of its own. It is fetched at the first touch of the page, so
 * that it is there when it is needed, or before the page is hydrated when the server has rendered it:
 * `shownBy` is a selector that finds it. Where the file cannot be fetched, the page is loaded again at
 * its address, and the server renders the part.
 */
export function onDemand<Props extends object>(
  fetchPart: () => Promise<ComponentType<Props>>,
  shownBy: string,
): FunctionComponent<Props> {
  let known: ComponentType<Props> | undefined
  const load = async () => (known ??= await fetchPart())
  const Late = lazy(async () => {
    const Part = await load().catch(reloadPage)
    return { default: ({ props }: { props: Props }) => <Part {...props} /> }
  })
  parts.push({ load, shownBy })
  // The server cannot wait while it renders: it has every part long before the first request.
  if (typeof document === 'undefined' || isTouched) load().catch(() => undefined)
  return function OnDemand(props: Props) {
    // Whichever it begins with it keeps: another one would begin with the state of the first lost.
    const [{ Part }] = useState({ Part: known })
    // React hydrates what is in a Suspense after the rest, so there is none where none is needed.
    if (Part) return <Part {...props} />
    return (
      <Suspense>
        <Late props={props} />
      </Suspense>
    )
  }
}

/** Nothing follows in this page. */
function reloadPage(): Promise<never> {
  window.location.reload()
  return new Promise<never>(() => undefined)
}

/** Fetches the parts that the server has rendered on this page. Rejects when one cannot be fetched. */
export async function loadShownParts(): Promise<void> {
  const shown = parts.filter(({ shownBy }) => document.querySelector(shownBy))
  await Promise.all(shown.map(({ load }) => load()))
}

/** Fetches all parts of the page, and from now on those of every page that follows. */
export function loadAllParts(): void {
  isTouched = true
  for (const { load } of parts) load().catch(() => undefined)
}
