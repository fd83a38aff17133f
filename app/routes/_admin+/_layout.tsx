import { json, type LoaderFunctionArgs } from '@remix-run/node'
import { isRouteErrorResponse, Outlet, useLoaderData, useRouteError } from '@remix-run/react'
import { AppLayout } from '~/components/layout/app-layout'
import { PageError } from '~/components/layout/page-error'
import { getPlans } from '~/domain/business/settings.server'
import { lastPaidBy } from '~/domain/payments/book.server'
import { loadLayout } from '~/http/loaders/layout.server'
import { requireHelper } from '~/http/session/guards.server'
import { ButtonLink } from '~/components/ui/button'
import { paths } from '~/lib/paths'

export async function loader({ request, context }: LoaderFunctionArgs) {
  const signedIn = requireHelper({ request, context })
  const { db, actor } = signedIn.ctx
  const [frame, plans, lastPaid] = await Promise.all([
    loadLayout(signedIn, request),
    getPlans(db),
    lastPaidBy(db, actor.username),
  ])
  return json({ ...frame, plans, lastPaid })
}

export { unlessDialog as shouldRevalidate } from '~/components/layout/should-revalidate'

export default function AdminLayout() {
  const { plans: _, lastPaid: __, ...frame } = useLoaderData<typeof loader>()
  return (
    <AppLayout {...frame}>
      <Outlet />
    </AppLayout>
  )
}

export function ErrorBoundary() {
  const error = useRouteError()
  return isRouteErrorResponse(error) && error.status === 403 ? <AccessDenied /> : <PageError />
}

/** Shown to a user on an administrator's page until the Refresh header redirects them. */
function AccessDenied() {
  return (
    <main className="mx-auto flex min-h-[70vh] max-w-lg flex-col items-start justify-center gap-4 p-6">
      <h1 className="text-lg font-semibold">
        Access Denied - This page is only accessible to administrators. Redirecting you to your
        dashboard...
      </h1>
      <ButtonLink to={paths.dashboard} look="plain" reloadDocument>
        My Videos
      </ButtonLink>
    </main>
  )
}
