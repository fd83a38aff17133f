import type { HelperAct } from '~/domain/administration/types'
import { AUDIT_ACTIONS } from '~/domain/audit/types'
import { Card } from '../../ui/card'
import { DayTime } from '../../ui/day-time'

/** What helpers did today, with a mark at renewals of which no payment is recorded. */
export function HelperActs({ acts }: { acts: readonly HelperAct[] }) {
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
                {count > 1 && ` (${count})`}{' '}
                {isUnpaid && <span className="font-medium text-warn">without a payment</span>}
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
