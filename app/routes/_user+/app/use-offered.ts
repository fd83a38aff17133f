import { useEffect, useRef, type RefObject } from 'react'
import type { DraftText } from '~/domain/videos/requests/drafts'
import { fillForm } from './draft-storage'

type Options = {
  /** What the URL fills in. */
  offered: Partial<DraftText> | null
  /** The fields as the server would render them for this URL. */
  initial: DraftText
  /** Reads the form again after this hook changed it. */
  sync: () => void
}

/**
 * Fills the form in when a link on the page leads to a URL that fills it in. The server does this
 * only when it renders the page.
 */
export function useOffered(
  form: RefObject<HTMLFormElement>,
  { offered, initial, sync }: Options,
): void {
  const content = offered && JSON.stringify(offered)
  const last = useRef(content)
  useEffect(() => {
    if (content === last.current) return
    last.current = content
    if (content === null || !form.current) return
    fillForm(form.current, 'prompt', initial)
    sync()
  }, [content])
}
