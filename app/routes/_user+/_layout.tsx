import { json, type LoaderFunctionArgs } from '@remix-run/node'
import { Outlet, useLoaderData } from '@remix-run/react'
import { AppFrame } from '~/components/layout/app-frame'
import { getUserView } from '~/domain/quota/user-view.server'
import { readSidebarCollapsed } from '~/http/cookies.server'
import { requireUser } from '~/http/guards.server'
import { webCookies } from '~/http/toast.server'

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx } = requireUser({ request, context })
  return json({
    user: await getUserView(ctx, ctx.actor.id),
    isCollapsed: await readSidebarCollapsed(webCookies(), request.headers.get('cookie')),
  })
}

export default function UserLayout() {
  const { user, isCollapsed } = useLoaderData<typeof loader>()
  return (
    <AppFrame user={user} isCollapsed={isCollapsed}>
      <Outlet />
    </AppFrame>
  )
}
