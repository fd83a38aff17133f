import { json, type MetaFunction } from '@remix-run/node'
import { ButtonLink } from '~/components/ui/button'
import type { RouteHandle } from '~/components/layout/handle'
import { paths } from '~/lib/paths'

// Every address without a route of its own ends here, so that it answers 404 with a real page.

export const handle: RouteHandle = { scripts: false }
export const meta: MetaFunction = () => [{ title: 'Page Not Found' }]

const notFound = () => json(null, { status: 404 })
export async function loader() {
  return notFound()
}
export async function action() {
  return notFound()
}

export default function NotFoundPage() {
  return (
    <main className="mx-auto flex min-h-[70vh] max-w-lg flex-col items-start justify-center gap-4 p-6">
      <p className="font-mono text-sm text-soft">404</p>
      <h1 className="text-2xl font-semibold">Page Not Found</h1>
      <p className="text-soft">
        There is nothing at this address. It may have been moved or deleted.
      </p>
      <ButtonLink to={paths.landing} look="plain">
        Start page
      </ButtonLink>
    </main>
  )
}
