import type { FailedLately } from '~/domain/videos/admin/failed-lately.server'
import { plural } from '~/lib/figures'
import { paths } from '~/lib/paths'
import { dayAndTime } from '~/lib/time'
import { ButtonLink } from '../../ui/button'
import { Card } from '../../ui/card'
import { usePlatformZone } from '../../ui/use-root-data'

/** What an outage left behind, and the way to make it again. */
export function FailedLatelyCard({ failed: { count, since } }: { failed: FailedLately }) {
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
