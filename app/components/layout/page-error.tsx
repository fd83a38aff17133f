import { isRouteErrorResponse, useRouteError } from '@remix-run/react'
import { ButtonLink } from '../ui/button'
import { paths } from '~/lib/paths'

const WORDS: Record<number, readonly [title: string, text: string]> = {
  400: ['That did not work', 'The request could not be understood. Go back and try again.'],
  404: ['Page Not Found', 'There is nothing at this address. It may have been deleted.'],
  503: [
    'One moment',
    'The service is briefly unavailable. Nothing was lost; try again in a few seconds.',
  ],
}

/** The page for everything that went wrong: what happened, what is safe, where to go. */
export function PageError() {
  const error = useRouteError()
  const status = isRouteErrorResponse(error) ? error.status : 500
  const [title, text] = WORDS[status] ?? [
    'Something went wrong',
    'The fault is ours and has been noted. What you had made is safe. Try again in a moment.',
  ]
  return (
    <main className="mx-auto flex min-h-[70vh] max-w-lg flex-col items-start justify-center gap-4 p-6">
      <p className="font-mono text-sm text-soft">{status}</p>
      <h1 className="text-2xl font-semibold">{title}</h1>
      <p className="text-soft">{text}</p>
      <ButtonLink to={paths.landing} look="plain" reloadDocument>
        Start page
      </ButtonLink>
    </main>
  )
}
