import { useCallback, useEffect, useRef } from 'react'
import { goToSignIn } from './go-to-sign-in'

/** A question that has no answer by then is asked again: the phone may have changed its network. */
const GIVE_UP_MS = 15_000

type Polling<Answer> = {
  /** What to ask now; called before each question. */
  url: () => string
  everyMs: number
  /** False stops asking. */
  isActive: boolean
  onAnswer?: (answer: Answer) => void
  /** Called for every answer, unchanged ones too. */
  onHeaders?: (headers: Headers) => void
  onFailure?: () => void
  /** What is asked about is not there any more; a failure when left out. */
  onGone?: () => void
}

/** Asks now; `fresh` wants an answer even if nothing has changed. */
type Ask = (kind?: 'fresh') => Promise<void>

/**
 * Asks the same question again and again while `isActive` and while somebody can see the page,
 * `everyMs` after it was last asked; coming back to the tab asks at once. An unchanged answer (304) is
 * not reported. When the session has ended the page goes to sign-in. Answers a function that asks now.
 */
export function usePolling<Answer>(polling: Polling<Answer>): Ask {
  const latest = useRef(polling)
  useEffect(() => {
    latest.current = polling
  })
  const tag = useRef<string | null>(null)
  const askedAt = useRef(0)
  const asking = useRef<Promise<void>>()
  const restart = useRef<() => void>()

  const ask = useCallback<Ask>((kind) => {
    askedAt.current = Date.now()
    restart.current?.()
    asking.current = (asking.current ?? Promise.resolve()).then(() => {
      if (kind === 'fresh') tag.current = null
      return askOnce(latest.current, tag)
    })
    return asking.current
  }, [])

  const { isActive, everyMs } = polling
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

async function askOnce<Answer>(
  { url, onAnswer, onHeaders, onFailure, onGone }: Polling<Answer>,
  tag: { current: string | null },
): Promise<void> {
  const headers: HeadersInit = tag.current ? { 'If-None-Match': tag.current } : {}
  const giveUp = new AbortController()
  const timer = setTimeout(() => giveUp.abort(), GIVE_UP_MS)
  try {
    // Not from the browser's cache, so that an unchanged answer is seen as one.
    const response = await fetch(url(), { headers, cache: 'no-store', signal: giveUp.signal })
    if (response.ok || response.status === 304) onHeaders?.(response.headers)
    if (response.status === 304) return
    if (response.status === 401) return goToSignIn()
    if (response.status === 404 && onGone) return onGone()
    if (!response.ok) return onFailure?.()
    tag.current = response.headers.get('ETag')
    const answer: { json(): Promise<Answer> } = response
    onAnswer?.(await answer.json())
  } catch {
    onFailure?.()
  } finally {
    clearTimeout(timer)
  }
}
