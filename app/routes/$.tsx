import { json, type MetaFunction } from '@remix-run/node'
import { useLocation } from '@remix-run/react'
import type { RouteHandle } from '~/components/layout/handle'
import { MISSING, MissingPage } from '~/components/layout/page-error'
import { ENDED_LINK, isShareAddress } from '~/lib/ended-link'

// Handles every URL without a route of its own and responds with a 404 and a complete page.

export const handle: RouteHandle = { scripts: false }
export const meta: MetaFunction = ({ location }) => [
  { title: wordsAt(location.pathname).title },
  { name: 'description', content: 'There is no page at this address.' },
]

function wordsAt(pathname: string) {
  const [title, text] = MISSING
  return isShareAddress(pathname) ? ENDED_LINK : { title, text }
}

const notFound = () => json(null, { status: 404 })
export async function loader() {
  return notFound()
}
export async function action() {
  return notFound()
}

export default function NotFoundPage() {
  return <MissingPage {...wordsAt(useLocation().pathname)} />
}
