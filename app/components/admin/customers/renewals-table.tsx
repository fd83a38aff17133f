import type { DeskRow } from '~/domain/administration/customers/desk.server'
import type { DeskList } from '~/domain/administration/users/list-schemas'
import { daysLeftText } from '~/domain/administration/rules'
import { OCCASION_NAMES } from '~/domain/business/chat-texts'
import type { ChatOccasion } from '~/domain/business/types'
import { moneyText } from '~/domain/payments/money'
import { figure } from '~/lib/figures'
import { shortDay } from '~/lib/time'
import { Badge } from '../../ui/badge'
import { DataCell, DataRow, DataTable } from '../../ui/data-table'
import { RowBox } from '../../ui/row-box'
import { usePlatformZone } from '../../ui/use-root-data'
import { ChatButton, ChatForm } from './chat-form'
import { RenewButtons } from './renew-buttons'
import { UserLink } from '../user-link'
import { DAYS_TONE, SELECTION_FORM } from '../users/users-table'

const COLUMNS = [
  'Select',
  'Customer',
  'Plan',
  'Ends',
  'Last order',
  'Last payment',
  'Chat',
  'Renew until',
]

const OCCASIONS = {
  'ending-today': 'ending',
  expiring: 'ending',
  'expiring-week': 'ending',
  'expired-lately': 'ended',
  'never-used': 'unused',
  'over-80': 'nearly-used',
} as const satisfies Record<DeskList, ChatOccasion>

type Props = {
  users: readonly DeskRow[]
  list: DeskList
  isTicked: (id: string) => boolean
}

/** The customers of a list. On small screens each is a card. */
export const RenewalsTable = ({ users, list, isTicked }: Props) => (
  <>
    <ChatForm occasion={OCCASIONS[list]} />
    <DataTable caption="Customers" columns={COLUMNS}>
      {users.map((user) => (
        <CustomerRow key={user.id} user={user} isTicked={isTicked(user.id)} />
      ))}
    </DataTable>
  </>
)

function CustomerRow({ user, isTicked }: { user: DeskRow; isTicked: boolean }) {
  const { id, username, phone, plan, videoLimit, lastOrderAt, lastPayment, contact } = user
  const timeZone = usePlatformZone()
  const dayOf = (instant: string | null) => (instant === null ? '–' : shortDay(instant, timeZone))
  return (
    <DataRow>
      <DataCell>
        <RowBox
          name="ids"
          value={id}
          form={SELECTION_FORM}
          defaultChecked={isTicked}
          aria-label={`Select ${username}`}
        />
      </DataCell>
      <DataCell place="name">
        <span className="wide:block wide:min-w-28">
          <UserLink id={id} username={username} />
        </span>
        {phone !== null && phone !== username && (
          <span className="block break-all text-xs text-soft">{phone}</span>
        )}
      </DataCell>
      <DataCell label="Plan">
        {plan ?? 'No plan'}
        <span className="block text-xs tabular-nums text-soft">
          {figure(user.videosGeneratedToday)} of {figure(videoLimit)} today
        </span>
      </DataCell>
      <DataCell label="Ends" className="wide:whitespace-nowrap tabular-nums">
        {dayOf(user.expiryDate)} <DaysBadge daysLeft={user.daysLeft} />
      </DataCell>
      <DataCell label="Last order" className="wide:whitespace-nowrap tabular-nums">
        {dayOf(lastOrderAt)}
      </DataCell>
      <DataCell label="Last payment" className="tabular-nums">
        {lastPayment === null ? '–' : moneyText(lastPayment)}
        {lastPayment && (
          <span className="block text-xs text-soft wide:whitespace-nowrap">
            {dayOf(lastPayment.receivedAt)}
          </span>
        )}
      </DataCell>
      <DataCell>
        <ChatButton id={id} username={username} isAgain={contact !== null} />
        {contact && (
          <span className="mt-1 block text-xs tabular-nums text-soft">
            {dayOf(contact.at)}: {OCCASION_NAMES[contact.occasion]}
          </span>
        )}
      </DataCell>
      <DataCell place="end">
        <RenewButtons user={user} />
      </DataCell>
    </DataRow>
  )
}

export function DaysBadge({ daysLeft }: { daysLeft: number | null }) {
  const { text, tone } = daysLeftText(daysLeft)
  return <Badge tone={DAYS_TONE[tone]}>{text}</Badge>
}
