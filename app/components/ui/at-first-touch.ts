/**
 * Fetches a script at the first press or key on the page, so that what is behind it also works if the
 * network fails later. Does nothing on the server.
 */
export function atFirstTouch(load: () => Promise<unknown>): void {
  if (typeof document === 'undefined') return
  const touched = new AbortController()
  const fetchIt = () => {
    touched.abort()
    load().catch(() => undefined)
  }
  for (const event of ['pointerdown', 'keydown'])
    document.addEventListener(event, fetchIt, { signal: touched.signal, passive: true })
}
