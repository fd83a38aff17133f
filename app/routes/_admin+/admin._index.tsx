import { json, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { LiveCards } from '~/components/admin/live-cards'
import { StatCards } from '~/components/admin/stat-cards'
import { findOnlineStats } from '~/domain/activity/online.server'
import { getUserStats } from '~/domain/administration/user-stats.server'
import { requireAdmin } from '~/http/guards.server'
import { pageTitle } from '~/lib/title'

export const meta: MetaFunction = () => [{ title: pageTitle('User Management') }]

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx } = requireAdmin({ request, context })
  const [online, stats] = await Promise.all([findOnlineStats(ctx), getUserStats(ctx)])
  return json({ online, stats })
}

export default function UsersPage() {
  const { online, stats } = useLoaderData<typeof loader>()
  return (
    <div className="space-y-6">
      <h1 className="text-lg font-semibold sm:text-xl">User Management</h1>
      <LiveCards online={online} />
      <StatCards stats={stats} />
    </div>
  )
}
