import type { DeskRow } from '~/domain/administration/customers/desk.server'
import type { DeskList } from '~/domain/administration/users/list-schemas'
import { daysLeftText } from '~/domain/administration/rules'
import { OCCASION_NAMES } from '~/domain/business/chat-texts'
import type { ChatOccasion } from '~/domain/business/types'
import { reminderText } from '~/domain/notifications/reminders'
import type { ReminderName } from '~/domain/notifications/types'
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
  'Reminder or chat',
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

/** The reminders that say what the chat text of a list would. */
const REMINDERS = {
  'ending-today': ['three-days', 'tomorrow'],
  expiring: ['three-days', 'tomorrow'],
  'expiring-week': ['three-days', 'tomorrow'],
  'expired-lately': ['ended'],
  'never-used': [],
  'over-80': ['nearly-used'],
} as const satisfies Record<DeskList, readonly ReminderName[]>

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
        <CustomerRow key={user.id} user={user} list={list} isTicked={isTicked(user.id)} />
      ))}
    </DataTable>
  </>
)

type RowProps = { user: DeskRow; list: DeskList; isTicked: boolean }

function CustomerRow({ user, list, isTicked }: RowProps) {
  const { id, username, phone, plan, videoLimit, lastOrderAt, lastPayment } = user
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
        <Told user={user} names={REMINDERS[list]} />
      </DataCell>
      <DataCell place="end">
        <RenewButtons user={user} />
      </DataCell>
    </DataRow>
  )
}

type ToldProps = { user: DeskRow; names: readonly ReminderName[] }

/** By what the customer was reminded, or else the chat. */
function Told({ user: { id, username, contact, reminded }, names }: ToldProps) {
  const timeZone = usePlatformZone()
  const told = reminded.filter(({ reminder }) => names.includes(reminder))
  return (
    <>
      {told.length === 0 && <ChatButton id={id} username={username} isAgain={contact !== null} />}
      {told.map(({ reminder, channels, at }) => (
        <span key={reminder} className="block text-xs tabular-nums text-soft">
          {shortDay(at, timeZone)}: {reminderText(reminder, channels)}
        </span>
      ))}
      {contact && (
        <span className="mt-1 block text-xs tabular-nums text-soft">
          {shortDay(contact.at, timeZone)}: {OCCASION_NAMES[contact.occasion]}
        </span>
      )}
    </>
  )
}

export function DaysBadge({ daysLeft }: { daysLeft: number | null }) {
  const { text, tone } = daysLeftText(daysLeft)
  return <Badge tone={DAYS_TONE[tone]}>{text}</Badge>
}
