import { isRouteErrorResponse, useLocation, useRouteError } from '@remix-run/react'
import { useEffect } from 'react'
import { PageMessage } from '../ui/toasts'
import { ButtonLink } from '../ui/button'
import { NOTHING_SENT } from '~/lib/call-api'
import { paths } from '~/lib/paths'
import { MAIN_ROWS, type NavRow } from './nav-rows'

export const MISSING = [
  'Page Not Found',
  'There is nothing at this address. It may have been moved or deleted.',
] as const

const WORDS: Record<number, readonly [title: string, text: string]> = {
  400: ['That did not work', 'The request could not be understood. Go back and try again.'],
  403: ['No access', 'Your account cannot open this page.'],
  404: MISSING,
  503: [
    'One moment',
    'The service is briefly unavailable. Nothing was lost; try again in a few seconds.',
  ],
}

const OUR_FAULT = [
  'Something went wrong',
  'The fault is ours and has been noted. What you had made is safe. Try again in a moment.',
] as const

const OFFLINE = { status: 'OFF', title: 'No connection', text: NOTHING_SENT } as const

type Words = { title: string; text: string }

/** A loader may throw a response with words of its own. */
const isWords = (data: unknown): data is Words =>
  typeof data === 'object' && data !== null && 'title' in data

function wordsOf(error: unknown) {
  if (typeof document !== 'undefined' && !navigator.onLine) return OFFLINE
  const { status, data } = responseOf(error)
  if (isWords(data)) return { status, ...data }
  const [title, text] = WORDS[status] ?? OUR_FAULT
  return { status, title, text }
}

const responseOf = (error: unknown): { status: number; data?: unknown } =>
  isRouteErrorResponse(error) ? error : { status: 500 }

/** Returns the heading of the page for this error. */
export const errorTitle = (error: unknown): string => wordsOf(error).title

/** The page for all errors: what happened, what is safe and where to go next. */
export function PageError() {
  const { status, title, text } = wordsOf(useRouteError())
  const { pathname, search } = useLocation()
  const isOffline = status === OFFLINE.status
  useEffect(() => {
    if (!isOffline) return
    const reload = () => location.reload()
    addEventListener('online', reload)
    return () => removeEventListener('online', reload)
  }, [isOffline])
  const again = status === 403 || status === 404 ? undefined : pathname + search
  const list = status === 404 ? listOf(pathname) : undefined
  return <EndOfReel status={status} title={title} text={text} again={again} list={list} />
}

const listOf = (pathname: string): NavRow | undefined =>
  MAIN_ROWS.find(({ to }) => pathname.startsWith(`${to}/`))

/** The 404 page. */
export const MissingPage = (words: Words) => <EndOfReel status={404} {...words} />

type Props = {
  status: number | string
  title: string
  text: string
  /** URL of the same page, if another try may help. */
  again?: string | undefined
  /** The list that the missing item belonged to. */
  list?: NavRow | undefined
}

/** A piece of film with the status code on it, and links to continue. */
function EndOfReel({ status, title, text, again, list }: Props) {
  return (
    <main className="mx-auto flex min-h-[80vh] max-w-lg flex-col items-start justify-center gap-4 p-6">
      <PageMessage />
      <div
        aria-hidden
        className="mb-2 w-56 max-w-full space-y-2 rounded-sm bg-film px-1 py-2 text-film-on"
      >
        <div className="sprockets" />
        <p className="grid grid-cols-3 gap-2 px-1 text-center font-mono text-lg">
          {Array.from(String(status)).map((digit, index) => (
            <span key={`${index}-${digit}`} className="rounded-sm bg-film-on/15 py-5">
              {digit}
            </span>
          ))}
        </p>
        <div className="sprockets" />
      </div>
      <h1 className="text-2xl font-bold tracking-tight">{title}</h1>
      <p className="text-soft">{text}</p>
      <div className="flex flex-wrap gap-2">
        {again !== undefined && (
          <ButtonLink to={again} reloadDocument>
            Try again
          </ButtonLink>
        )}
        {list && (
          <ButtonLink to={list.to} reloadDocument>
            {list.label}
          </ButtonLink>
        )}
        <ButtonLink to={paths.landing} look="plain" reloadDocument>
          Start page
        </ButtonLink>
      </div>
    </main>
  )
}
