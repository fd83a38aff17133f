import { json, type MetaFunction } from '@remix-run/node'
import { missingAt, MissingPage } from '~/components/layout/page-error'
import type { RouteHandle } from '~/components/layout/handle'

// Handles every URL without a route of its own and responds with a 404 and a complete page.

export const handle: RouteHandle = { scripts: false }
export const meta: MetaFunction = ({ location }) => [
  { title: missingAt(location.pathname).title },
  { name: 'description', content: 'There is no page at this address.' },
]

const notFound = () => json(null, { status: 404 })
export async function loader() {
  return notFound()
}
export async function action() {
  return notFound()
}

export default function NotFoundPage() {
  return <MissingPage />
}
