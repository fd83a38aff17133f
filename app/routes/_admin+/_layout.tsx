import { json, type LoaderFunctionArgs } from '@remix-run/node'
import { isRouteErrorResponse, Outlet, useLoaderData, useRouteError } from '@remix-run/react'
import { AccessDenied } from '~/components/layout/access-denied'
import { AppFrame } from '~/components/layout/app-frame'
import { PageError } from '~/components/layout/page-error'
import { unlessDialog } from '~/components/layout/should-revalidate'
import { loadFrame } from '~/http/frame.server'
import { requireAdmin } from '~/http/guards.server'

export async function loader({ request, context }: LoaderFunctionArgs) {
  return json(await loadFrame(requireAdmin({ request, context }), request))
}

export { unlessDialog as shouldRevalidate }

export default function AdminLayout() {
  return (
    <AppFrame {...useLoaderData<typeof loader>()}>
      <Outlet />
    </AppFrame>
  )
}

export function ErrorBoundary() {
  const error = useRouteError()
  return isRouteErrorResponse(error) && error.status === 403 ? <AccessDenied /> : <PageError />
}
