import { useEffect, useState } from 'react'
import type { OnlineStats } from '~/domain/administration/types'
import { paths } from '~/lib/paths'
import { Icon } from '~/components/ui/icon'
import type { IconName } from '~/components/ui/icon-names'

/** The online statistics are polled every ten seconds (specification §9). */
const POLL_MS = 10_000

/**
 * Number of users online and of users with work under way. Scripts keep it up to date. Renders
 * nothing if the numbers are unknown.
 */
export function LiveCards({ online }: { online: OnlineStats | null }) {
  const stats = useLiveStats(online)
  if (!stats) return null
  return (
    <div className="grid grid-cols-2 gap-2 tiny:grid-cols-1 sm:gap-4" aria-live="polite">
      <LiveCard icon="radio" label="Online Users" value={stats.onlineUsers} hint="last 5 minutes" />
      <LiveCard
        icon="activity"
        label="Generating Videos"
        value={stats.generatingUsers}
        hint="users with work under way"
      />
    </div>
  )
}

type CardProps = { icon: IconName; label: string; value: number; hint: string }

function LiveCard({ icon, label, value, hint }: CardProps) {
  return (
    <div className="flex items-center gap-3 rounded-lg border border-line bg-surface p-3 sm:gap-4 sm:p-4">
      <Icon
        name={icon}
        className={`size-5 shrink-0 sm:size-6 ${value > 0 ? 'text-good' : 'text-soft'}`}
      />
      <dl className="flex flex-col-reverse">
        <dt className="text-sm text-soft">
          {label} <span className="block text-xs sm:inline">({hint})</span>
        </dt>
        <dd className="text-xl font-semibold tabular-nums">{value}</dd>
      </dl>
    </div>
  )
}

function useLiveStats(first: OnlineStats | null): OnlineStats | null {
  const [stats, setStats] = useState(first)
  useEffect(() => {
    const timer = setInterval(async () => {
      if (document.hidden) return
      const response = await fetch(paths.api.onlineStats).catch(() => undefined)
      setStats(response?.ok ? await readStats(response) : null)
    }, POLL_MS)
    return () => clearInterval(timer)
  }, [])
  return stats
}

async function readStats(response: Response): Promise<OnlineStats | null> {
  // Something between browser and server may have answered with a page of its own.
  const body: unknown = await response.json().catch(() => null)
  if (typeof body !== 'object' || body === null) return null
  if (!('onlineUsers' in body) || !('generatingUsers' in body)) return null
  return { onlineUsers: Number(body.onlineUsers), generatingUsers: Number(body.generatingUsers) }
}
