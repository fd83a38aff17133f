import { Link } from '@remix-run/react'
import type { HelperAct } from '~/domain/administration/types'
import { AUDIT_ACTIONS } from '~/domain/audit/types'
import { Card } from '../../ui/card'
import { DayTime } from '../../ui/day-time'

type Props = {
  acts: readonly HelperAct[]
  /** The page on which such payments are recorded, for those who may. */
  unpaid?: string
}

/** What helpers did today, with a mark at renewals of which no payment is recorded. */
export function HelperActs({ acts, unpaid }: Props) {
  return (
    <Card title="Today">
      {acts.length === 0 ? (
        <p className="text-sm text-soft">Nothing yet.</p>
      ) : (
        <ul className="divide-y divide-line">
          {acts.map(({ id, at, actorName, action, subjectName, count, isUnpaid }) => (
            <li key={id} className="py-2 text-sm">
              <p className="break-words">
                <span className="font-medium">{actorName}</span> {AUDIT_ACTIONS[action]}
                {subjectName !== null && `: ${subjectName}`}
                {count > 1 && ` (${count})`} {isUnpaid && <Unpaid to={unpaid} />}
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

function Unpaid({ to }: { to: string | undefined }) {
  const look = 'font-medium text-warn'
  const text = 'without a payment'
  if (to === undefined) return <span className={look}>{text}</span>
  return (
    <Link to={to} className={`${look} underline`}>
      {text}
    </Link>
  )
}
