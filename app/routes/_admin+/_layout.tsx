import { json, type LoaderFunctionArgs } from '@remix-run/node'
import { isRouteErrorResponse, Outlet, useLoaderData, useRouteError } from '@remix-run/react'
import { AccessDenied } from '~/components/layout/access-denied'
import { AppFrame } from '~/components/layout/app-frame'
import { PageError } from '~/components/layout/page-error'
import { getUserView } from '~/domain/quota/user-view.server'
import { readSidebarCollapsed } from '~/http/cookies.server'
import { requireAdmin } from '~/http/guards.server'
import { webCookies } from '~/http/toast.server'

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx } = requireAdmin({ request, context })
  return json({
    user: await getUserView(ctx, ctx.actor.id),
    isCollapsed: await readSidebarCollapsed(webCookies(), request.headers.get('cookie')),
  })
}

export default function AdminLayout() {
  const { user, isCollapsed } = useLoaderData<typeof loader>()
  return (
    <AppFrame user={user} isCollapsed={isCollapsed}>
      <Outlet />
    </AppFrame>
  )
}

export function ErrorBoundary() {
  const error = useRouteError()
  return isRouteErrorResponse(error) && error.status === 403 ? <AccessDenied /> : <PageError />
}
