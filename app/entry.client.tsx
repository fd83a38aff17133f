import { RemixBrowser } from '@remix-run/react'
import { startTransition, useEffect } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { CAME_FROM } from './lib/dialog-address'
import { ENGLISH, readFormatFrom } from './lib/figures'
import { nameProduct } from './lib/title'
import { loadShownDialog } from './components/ui/late-dialog'

// On hydration React resets a text box to the text that the server rendered, unless the box's
// default value differs as well. Until then, what the user types is also stored as its default
// value.
const keep = (box: EventTarget | null) => {
  if (box instanceof HTMLTextAreaElement) box.defaultValue = box.value
}
const keepTyped = ({ target }: Event) => keep(target)

function Page() {
  useEffect(() => document.removeEventListener('input', keepTyped), [])
  return <RemixBrowser />
}

// The second press of a double click opens the same address again before the page of the first is
// shown. A browser replaces the entry of its history if a link leads to the current address; the
// router would add another entry. Each entry also says from where it was opened, so that closing a
// dialog leads back there.
const push = history.pushState.bind(history)
history.pushState = (state, ...rest) => {
  const { href } = new URL(rest[1] ?? '', location.href)
  if (href === location.href) history.replaceState(state, ...rest)
  else push({ ...state, [CAME_FROM]: location.href }, ...rest)
}

const { figures = ENGLISH, product } = document.documentElement.dataset
readFormatFrom(() => figures)
if (product !== undefined) nameProduct(product)

for (const box of document.querySelectorAll('textarea')) keep(box)
document.addEventListener('input', keepTyped)
// If a dialog shown on this page cannot be loaded, the page is not hydrated and works as without
// scripts.
void loadShownDialog().then(() =>
  startTransition(() => {
    hydrateRoot(document, <Page />)
  }),
)
