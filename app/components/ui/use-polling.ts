import { useCallback, useEffect, useRef } from 'react'
import { goToSignIn } from './go-to-sign-in'

type Polling<Answer> = {
  /** What to ask now; read anew each time. */
  url: () => string
  everyMs: number
  /** False stops asking. */
  isActive: boolean
  onAnswer: (answer: Answer) => void
  /** Called for every answer, unchanged ones too. */
  onHeaders?: (headers: Headers) => void
  onFailure?: () => void
  /** What is asked about is not there any more; a failure when left out. */
  onGone?: () => void
}

/**
 * Asks the same question again and again, `everyMs` apart, while `isActive` and while somebody can
 * see the page; coming back to the tab asks at once. An unchanged answer (304) is not reported. When
 * the session has ended the page goes to sign-in. Answers a function that asks now.
 */
export function usePolling<Answer>(polling: Polling<Answer>): () => Promise<void> {
  const latest = useRef(polling)
  useEffect(() => {
    latest.current = polling
  })
  const tag = useRef<string | null>(null)
  const askedAt = useRef(0)
  const asking = useRef<Promise<void>>()

  const ask = useCallback((): Promise<void> => {
    askedAt.current = Date.now()
    asking.current = (asking.current ?? Promise.resolve()).then(() => askOnce(latest.current, tag))
    return asking.current
  }, [])

  const { isActive, everyMs } = polling
  useEffect(() => {
    if (!isActive) return
    askedAt.current = Date.now()
    const timer = setInterval(() => {
      if (!document.hidden) void ask()
    }, everyMs)
    const onVisible = () => {
      if (!document.hidden && Date.now() - askedAt.current >= everyMs) void ask()
    }
    document.addEventListener('visibilitychange', onVisible)
    return () => {
      clearInterval(timer)
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
  try {
    // Not from the browser's cache, so that an unchanged answer is seen as one.
    const response = await fetch(url(), { headers, cache: 'no-store' })
    if (response.ok || response.status === 304) onHeaders?.(response.headers)
    if (response.status === 304) return
    if (response.status === 401) return goToSignIn()
    if (response.status === 404 && onGone) return onGone()
    if (!response.ok) return onFailure?.()
    tag.current = response.headers.get('ETag')
    const answer: { json(): Promise<Answer> } = response
    onAnswer(await answer.json())
  } catch {
    onFailure?.()
  }
}
