import { json, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { Link, useLoaderData, useRevalidator } from '@remix-run/react'
import { useEffect } from 'react'
import { PageTitle } from '~/components/admin/page-header'
import { SystemDetails } from './system-details'
import { buttonClass, ButtonLink } from '~/components/ui/button'
import { textLinkClass } from '~/components/ui/text-link'
import { Icon } from '~/components/ui/icon'
import type { IconName } from '~/components/ui/icon-names'
import { findFailedLately, type FailedLately } from '~/domain/videos/admin/failed-lately.server'
import { getSystemStatus } from '~/domain/health/status.server'
import type { Finding, Level } from '~/domain/health/types'
import { requireAdmin } from '~/http/session/guards.server'
import { paths } from '~/lib/paths'
import { pageMeta } from '~/lib/title'
import { plural } from '~/lib/figures'
import { dayAndTime } from '~/lib/time'
import { Card } from '~/components/ui/card'
import { usePlatformZone } from '~/components/ui/use-root-data'

const REFRESH_SECONDS = 10

export const meta: MetaFunction = () => pageMeta('System')

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx } = requireAdmin({ request, context })
  const [status, failed] = await Promise.all([getSystemStatus(ctx), findFailedLately(ctx)])
  return json({ status, failed, version: ctx.settings.version, refreshSeconds: REFRESH_SECONDS })
}

const LOOKS = {
  ok: { icon: 'circle-check', tone: 'text-good', word: 'OK' },
  warn: { icon: 'triangle-alert', tone: 'text-warn', word: 'Check this' },
  bad: { icon: 'circle-alert', tone: 'text-bad', word: 'Action needed' },
} as const satisfies Record<Level, { icon: IconName; tone: string; word: string }>

const SUMMARY = {
  ok: 'Everything works.',
  warn: 'Something needs a look.',
  bad: 'Something needs your attention.',
} as const satisfies Record<Level, string>

export { shouldRevalidate } from '~/components/ui/page-forms'

export default function SystemPage() {
  const { status, failed, version } = useLoaderData<typeof loader>()
  useFreshStatus()
  const worst = status.findings[0]?.level ?? 'ok'
  return (
    <div className="space-y-6">
      <header className="flex flex-wrap items-center justify-between gap-3">
        <div>
          <PageTitle>System</PageTitle>
          <p className={`text-sm ${LOOKS[worst].tone}`} role="status">
            {SUMMARY[worst]}
          </p>
          <p className="text-sm text-soft">
            Version {version} ·{' '}
            <Link to={paths.admin.setup} className={textLinkClass}>
              Set-up check
            </Link>
          </p>
        </div>
        <Link to={paths.admin.system} className={buttonClass('plain')}>
          Refresh
        </Link>
      </header>
      <ul className="grid grid-cols-1 gap-4 lg:grid-cols-2">
        {status.findings.map((finding) => (
          <FindingCard key={finding.area} finding={finding} />
        ))}
      </ul>
      {failed && <FailedLatelyCard failed={failed} />}
      <SystemDetails status={status} />
    </div>
  )
}

function useFreshStatus(): void {
  const { revalidate } = useRevalidator()
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) revalidate()
    }, REFRESH_SECONDS * 1000)
    return () => clearInterval(timer)
  }, [revalidate])
}

function FindingCard({ finding: { area, level, text, next } }: { finding: Finding }) {
  const { icon, tone, word } = LOOKS[level]
  return (
    <li className="space-y-2 rounded-lg border border-line bg-surface p-4">
      <div className="flex items-center justify-between gap-2 tiny:flex-wrap">
        <h2 className="text-base font-semibold">{area}</h2>
        <span className={`inline-flex shrink-0 items-center gap-1.5 text-sm font-medium ${tone}`}>
          <Icon name={icon} className="size-4" />
          {word}
        </span>
      </div>
      <p className="break-words text-sm">{text}</p>
      {next && <p className="text-sm text-soft">What to do: {next}</p>}
      {area === 'Failures' && (
        <Link to={paths.admin.videosIn('error')} className={`${textLinkClass} text-sm`}>
          Failed videos
        </Link>
      )}
      {level !== 'ok' && (
        <p className="text-sm">
          <Link to={paths.admin.runbook(area)} className={textLinkClass}>
            Runbook: {area}
          </Link>
        </p>
      )}
    </li>
  )
}

/** What an outage left behind, and the way to make it again. */
function FailedLatelyCard({ failed: { count, since } }: { failed: FailedLately }) {
  const timeZone = usePlatformZone()
  const filters = new URLSearchParams({ status: 'error', reason: 'service', since })
  return (
    <Card title="Failed in the last 24 hours">
      <div className="flex flex-wrap items-center justify-between gap-3 text-sm">
        <p>
          {plural(count, 'video')} failed for reasons that their owners did not cause, created since{' '}
          {dayAndTime(since, timeZone)}.
        </p>
        <div className="flex flex-wrap gap-2">
          <ButtonLink to={`${paths.admin.videos}?${filters}`} look="plain">
            Look at them
          </ButtonLink>
          <ButtonLink to={`${paths.admin.videos}?${filters}&dialog=regenerate-all`}>
            Regenerate all of them
          </ButtonLink>
        </div>
      </div>
    </Card>
  )
}
