import { Link } from '@remix-run/react'
import { countsAs, usedPercent } from '~/domain/quota/rules'
import type { Standing } from '~/domain/accounts/rules'
import type { QuotaView } from '~/domain/quota/types'
import { paths } from '~/lib/paths'
import { figure } from '~/lib/figures'
import { ClockTime } from '~/components/ui/clock-time'
import { Progress } from '~/components/ui/progress'
import { textLinkClass } from '~/components/ui/text-link'

type Props = {
  quota: QuotaView
  standing: Standing
  /** How the videos differ from the usual ones. */
  offer: string | null
}

/** The rest of today's quota, when it resets, and what is not usual about the videos. */
export function QuotaLine({ quota, standing, offer }: Props) {
  const { used, limit, remaining, inProgress, resetsAt, clipUnits } = quota
  const notes = [countsAs(clipUnits), offer ?? ''].filter((note) => note !== '')
  return (
    <section
      aria-label="Daily Quota"
      className="create-quota grid grid-cols-[auto_minmax(3rem,1fr)] items-center gap-x-3 gap-y-1 text-xs tabular-nums sm:text-sm md:px-1"
    >
      <h2 className="eyebrow">Daily Quota</h2>
      <Progress label="Quota used today" percent={usedPercent(limit, used)} />
      <div className="col-span-2 flex flex-wrap justify-between gap-x-2">
        <p>
          {figure(used)} of {figure(limit)} videos used today
          {inProgress > 0 && (
            <span className="text-soft">, includes {figure(inProgress)} in progress</span>
          )}
        </p>
        <p>{restText(remaining, standing)}</p>
      </div>
      {notes.map((note) => (
        <p
          key={note}
          className="col-span-2 text-xs text-soft [overflow-wrap:anywhere] first-letter:uppercase"
        >
          {note}
        </p>
      ))}
      {/* The time is shorter once it is the reader's, so nothing stands after it. */}
      <div className="col-span-2 flex justify-between gap-4 text-xs text-soft">
        <p>
          Resets at <ClockTime instant={resetsAt} />
        </p>
        {/* As high for a finger as others, but its line is no higher. */}
        <Link to={paths.usage} className={`${textLinkClass} -my-3.5`}>
          View usage
        </Link>
      </div>
    </section>
  )
}

function restText(remaining: number, standing: Standing): string {
  if (standing === 'ok') return `${figure(remaining)} videos remaining today`
  return standing === 'expired' ? 'None until you renew your plan' : 'None without a plan'
}
