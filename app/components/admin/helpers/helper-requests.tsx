import type { HelperRequest } from '~/domain/administration/types'
import { plural } from '~/lib/figures'
import { ActionForm, HiddenFields } from '../../ui/action-form'
import { Card } from '../../ui/card'
import { DayTime } from '../../ui/day-time'
import { SubmitButton } from '../../ui/submit-button'

type Props = { requests: readonly HelperRequest[]; mayDecide?: boolean }

/** What helpers asked for: what waits, and what was decided today. */
export function HelperRequests({ requests, mayDecide = false }: Props) {
  if (requests.length === 0) return null
  return (
    <Card title="Requests">
      <ul className="divide-y divide-line">
        {requests.map(({ id, helperName, customerName, count, askedAt, isApproved }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-3 py-3 text-sm">
            <p className="min-w-0 break-words">
              {helperName}: regenerate {plural(count, 'failed video')} of {customerName}{' '}
              <span className="text-soft">
                <DayTime instant={askedAt} />
              </span>
            </p>
            {isApproved !== null || !mayDecide ? (
              <p className="font-medium">{WORDS[`${isApproved}`]}</p>
            ) : (
              <div className="flex gap-2">
                <Decide id={id} intent="approve" label="Approve" />
                <Decide id={id} intent="decline" label="Decline" />
              </div>
            )}
          </li>
        ))}
      </ul>
    </Card>
  )
}

const WORDS = { true: 'Approved', false: 'Declined', null: 'Waits for the administrator' } as const

type Decision = { id: string; intent: 'approve' | 'decline'; label: string }

const Decide = ({ id, intent, label }: Decision) => (
  <ActionForm intent={intent} preventScrollReset>
    <HiddenFields fields={{ id }} />
    <SubmitButton intent={intent} look={intent === 'approve' ? 'primary' : 'plain'}>
      {label}
    </SubmitButton>
  </ActionForm>
)
