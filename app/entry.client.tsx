import { RemixBrowser } from '@remix-run/react'
import { startTransition, useEffect } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { loadShownParts } from './components/ui/on-demand'

// React puts a text box back to what the server wrote when it takes the page over, unless the box's
// first text has changed as well: what was typed becomes the first text of its box until then.
const keep = (box: EventTarget | null) => {
  if (box instanceof HTMLTextAreaElement) box.defaultValue = box.value
}
const keepTyped = ({ target }: Event) => keep(target)

function Page() {
  useEffect(() => document.removeEventListener('input', keepTyped), [])
  return <RemixBrowser />
}

for (const box of document.querySelectorAll('textarea')) keep(box)
document.addEventListener('input', keepTyped)
// Without a part that it shows, the page goes on as it does without scripts.
void loadShownParts().then(() =>
  startTransition(() => {
    hydrateRoot(document, <Page />)
  }),
)
