import { json, type LoaderFunctionArgs } from '@remix-run/node'
import { Outlet, useLoaderData } from '@remix-run/react'
import { AppFrame } from '~/components/layout/app-frame'
import { unlessDialog } from '~/components/layout/should-revalidate'
import { LiveQuotaProvider } from '~/components/layout/live-quota'
import { loadFrame } from '~/http/frame.server'
import { requireUser } from '~/http/guards.server'

export async function loader({ request, context }: LoaderFunctionArgs) {
  return json(await loadFrame(requireUser({ request, context }), request))
}

export { unlessDialog as shouldRevalidate }

export default function UserLayout() {
  const frame = useLoaderData<typeof loader>()
  return (
    <LiveQuotaProvider>
      <AppFrame {...frame}>
        <Outlet />
      </AppFrame>
    </LiveQuotaProvider>
  )
}
