import { json, type LoaderFunctionArgs } from '@remix-run/node'
import { isRouteErrorResponse, Outlet, useLoaderData, useRouteError } from '@remix-run/react'
import { AccessDenied } from '~/components/layout/access-denied'
import { AppLayout } from '~/components/layout/app-layout'
import { PageError } from '~/components/layout/page-error'
import { unlessDialog } from '~/components/layout/should-revalidate'
import { loadLayout } from '~/http/loaders/layout.server'
import { requireAdmin } from '~/http/session/guards.server'

export async function loader({ request, context }: LoaderFunctionArgs) {
  return json(await loadLayout(requireAdmin({ request, context }), request))
}

export { unlessDialog as shouldRevalidate }

export default function AdminLayout() {
  return (
    <AppLayout {...useLoaderData<typeof loader>()}>
      <Outlet />
    </AppLayout>
  )
}

export function ErrorBoundary() {
  const error = useRouteError()
  return isRouteErrorResponse(error) && error.status === 403 ? <AccessDenied /> : <PageError />
}
