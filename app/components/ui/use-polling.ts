import { useCallback, useEffect, useRef, type MutableRefObject } from 'react'
import { goToSignIn } from './go-to-sign-in'

/**
 * A request without a response after this time is aborted: the phone may have changed its network.
 */
const GIVE_UP_MS = 15_000

type Polling<Data> = {
  /** Returns the URL to poll. Called before each request. */
  url: () => string
  everyMs: number
  /** False stops the polling. */
  isActive: boolean
  /** Also polls while not active, when the page gets the focus and the last request is that old. */
  asksOnFocus?: boolean
  onAnswer?: (data: Data) => void
  /** Called for every response, including unchanged ones. */
  onHeaders?: (headers: Headers) => void
  onFailure?: () => void
  /** Called for a 404: the polled object no longer exists. Default: treated as a failure. */
  onGone?: () => void
}

/** Polls now. `fresh` requests a full response even if nothing has changed. */
type Ask = (kind?: 'fresh') => Promise<void>

/**
 * Polls a URL while `isActive` and while the page is visible, `everyMs` after the previous request.
 * Returning to the tab polls at once if that time has passed. Unchanged responses (304) are not
 * reported. If the session has ended, the page goes to sign-in, but only after two such
 * responses in a row: one poll may be on its way while another request changes the session's token.
 * A dialog with changed text stays open: sending it leads through sign-in and keeps the text.
 * Returns a function that polls now.
 */
export function usePolling<Data>(polling: Polling<Data>): Ask {
  const latest = useRef(polling)
  useEffect(() => {
    latest.current = polling
  })
  const tag = useRef<string | null>(null)
  const wasRefused = useRef(false)
  const askedAt = useRef(0)
  const asking = useRef<Promise<void>>()
  const restart = useRef<() => void>()

  const ask = useCallback<Ask>((kind) => {
    askedAt.current = Date.now()
    restart.current?.()
    asking.current = (asking.current ?? Promise.resolve()).then(() => {
      if (kind === 'fresh') tag.current = null
      return askOnce(latest.current, tag, wasRefused)
    })
    return asking.current
  }, [])

  const { isActive, everyMs, asksOnFocus = false } = polling
  useEffect(() => {
    if (!asksOnFocus) return
    // The page itself has just been loaded.
    askedAt.current ||= Date.now()
    const onFocus = () => {
      // Without a connection the user has asked for nothing that could fail.
      if (!navigator.onLine) return
      if (!document.hidden && Date.now() - askedAt.current >= everyMs) void ask()
    }
    addEventListener('focus', onFocus)
    document.addEventListener('visibilitychange', onFocus)
    return () => {
      removeEventListener('focus', onFocus)
      document.removeEventListener('visibilitychange', onFocus)
    }
  }, [asksOnFocus, everyMs, ask])
  useEffect(() => {
    if (!isActive) return
    askedAt.current = Date.now()
    let timer: ReturnType<typeof setTimeout>
    const wait = () => {
      clearTimeout(timer)
      timer = setTimeout(() => (document.hidden ? wait() : void ask()), everyMs)
    }
    const onVisible = () => {
      if (!document.hidden && Date.now() - askedAt.current >= everyMs) void ask()
    }
    restart.current = wait
    wait()
    document.addEventListener('visibilitychange', onVisible)
    return () => {
      clearTimeout(timer)
      restart.current = undefined
      document.removeEventListener('visibilitychange', onVisible)
    }
  }, [isActive, everyMs, ask])
  return ask
}

/** Whether the text of a field in a dialog has been changed. */
const isTyping = (): boolean =>
  [...document.querySelectorAll('dialog textarea')].some(
    (field) => field instanceof HTMLTextAreaElement && field.value !== field.defaultValue,
  )

async function askOnce<Data>(
  { url, onAnswer, onHeaders, onFailure, onGone }: Polling<Data>,
  tag: MutableRefObject<string | null>,
  wasRefused: MutableRefObject<boolean>,
): Promise<void> {
  const headers: HeadersInit = tag.current ? { 'If-None-Match': tag.current } : {}
  const giveUp = new AbortController()
  const timer = setTimeout(() => giveUp.abort(), GIVE_UP_MS)
  try {
    // Bypass the browser's cache, so that an unchanged response is visible as a 304.
    const response = await fetch(url(), { headers, cache: 'no-store', signal: giveUp.signal })
    const isRefused = response.status === 401
    if (isRefused && wasRefused.current) return isTyping() ? undefined : goToSignIn()
    wasRefused.current = isRefused
    if (response.ok || response.status === 304) onHeaders?.(response.headers)
    if (isRefused || response.status === 304) return
    if (response.status === 404 && onGone) return onGone()
    if (!response.ok) return onFailure?.()
    tag.current = response.headers.get('ETag')
    const typed: { json(): Promise<Data> } = response
    onAnswer?.(await typed.json())
  } catch {
    onFailure?.()
  } finally {
    clearTimeout(timer)
  }
}
