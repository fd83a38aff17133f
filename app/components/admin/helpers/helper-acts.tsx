import { Link } from '@remix-run/react'
import { isUnpaid, paidText, type SoldAct } from '~/domain/administration/changes/sold-acts'
import type { HelperAct, HelperSales } from '~/domain/administration/types'
import { ACTIVITY_ACTIONS } from '~/domain/activity/types'
import { Card } from '../../ui/card'
import { DayTime } from '../../ui/day-time'

type Props = {
  acts: readonly HelperAct[]
  /** What each helper sold, in a line. */
  sales: readonly HelperSales[]
  /** The page on which missing payments are recorded, for those who may. */
  unpaid?: string
}

/** What helpers did today, with plan and payment of what they sold. */
export function HelperActs({ acts, sales, unpaid }: Props) {
  return (
    <Card title="Today">
      {sales.length > 0 && (
        <ul className="mb-2 space-y-1 text-sm tabular-nums">
          {sales.map(({ name, text }) => (
            <li key={name} className="break-words">
              <span className="font-medium">{name}</span>: {text}
            </li>
          ))}
        </ul>
      )}
      {acts.length === 0 ? (
        <p className="text-sm text-soft">Nothing yet.</p>
      ) : (
        <ul className="divide-y divide-line">
          {acts.map(({ id, at, actorName, action, subjectName, count, sold }) => (
            <li key={id} className="py-2 text-sm">
              <p className="break-words">
                <span className="font-medium">{actorName}</span> {ACTIVITY_ACTIONS[action]}
                {subjectName !== null && `: ${subjectName}`}
                {count > 1 && ` (${count})`} {sold && <Sold act={sold} unpaid={unpaid} />}
              </p>
              <p className="text-soft">
                <DayTime instant={at} />
              </p>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

function Sold({ act, unpaid }: { act: SoldAct; unpaid: string | undefined }) {
  const text = `${act.plan ?? 'No plan'}, ${paidText(act)}`
  if (!isUnpaid(act)) return <span className="tabular-nums">{text}</span>
  const look = 'font-medium tabular-nums text-warn'
  if (unpaid === undefined) return <span className={look}>{text}</span>
  return (
    <Link to={`${unpaid}?kind=${act.kind}`} className={`${look} underline`}>
      {text}
    </Link>
  )
}
