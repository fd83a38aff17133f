import { json, type LoaderFunctionArgs } from '@remix-run/node'
import { Outlet, useLoaderData } from '@remix-run/react'
import { AppLayout } from '~/components/layout/app-layout'
import { LiveQuotaProvider } from '~/components/layout/live-quota'
import { loadLayout } from '~/http/loaders/layout.server'
import { requireUser } from '~/http/session/guards.server'

export async function loader({ request, context }: LoaderFunctionArgs) {
  return json(await loadLayout(requireUser({ request, context }), request))
}

export { unlessDialog as shouldRevalidate } from '~/components/layout/should-revalidate'

export default function UserLayout() {
  const frame = useLoaderData<typeof loader>()
  return (
    <LiveQuotaProvider>
      <AppLayout {...frame}>
        <Outlet />
      </AppLayout>
    </LiveQuotaProvider>
  )
}
