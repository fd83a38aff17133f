import { ACCOUNT_COLUMNS, FIELD_NAMES } from '~/domain/administration/account-fields'
import type { BulkFacts } from '~/domain/administration/changes/bulk-rules'
import type { ChangedUser } from '~/domain/administration/changes/undo-bulk-change.server'
import { OCCASION_NAMES } from '~/domain/business/chat-texts'
import type { ChatOccasion } from '~/domain/business/types'
import { figure } from '~/lib/figures'
import { dayTimeAndZone, shortDay } from '~/lib/time'
import { Badge } from '../../ui/badge'
import { DataCell, DataRow, DataTable } from '../../ui/data-table'
import { usePlatformZone } from '../../ui/use-root-data'
import { ChatButton, ChatForm } from '../customers/chat-form'
import { UserLink } from '../user-link'

export type ChangeLine = {
  id: string
  username: string
  before: BulkFacts
  after: BulkFacts
  /** Undo left this user alone. */
  isSkipped?: boolean
  contact?: ChangedUser['contact']
  tell?: ChangedUser['tell']
}

const COLUMNS = ['Username', 'Old', 'New']

type Props = {
  lines: readonly ChangeLine[]
  count: number
  /** What the users are told of in the chat. */
  tells?: ChatOccasion | undefined
}

/** The users of a change with their old and new values. */
export function ChangeLines({ lines, count, tells }: Props) {
  const timeZone = usePlatformZone()
  return (
    <>
      {tells && <ChatForm occasion={tells} />}
      <DataTable caption="Old and new" columns={tells ? [...COLUMNS, 'Tell the user'] : COLUMNS}>
        {lines.map(({ isSkipped, ...line }) => (
          <DataRow key={line.id}>
            <DataCell place="whole" className="font-medium">
              <span className="wide:block wide:min-w-28">
                <UserLink id={line.id} username={line.username} />
              </span>{' '}
              {isSkipped && <Badge tone="warn">Changed since, left alone</Badge>}
            </DataCell>
            <DataCell label="Old">{factsText(line.before, timeZone)}</DataCell>
            <DataCell label="New">{factsText(line.after, timeZone)}</DataCell>
            {tells && (
              <DataCell place="end">
                <Telling line={line} tells={tells} />
              </DataCell>
            )}
          </DataRow>
        ))}
      </DataTable>
      {count > lines.length && (
        <p className="text-sm text-soft">… and {figure(count - lines.length)} more</p>
      )}
    </>
  )
}

/** The chat that tells a user, and when they were written to since the change. */
function Telling({ line, tells }: { line: ChangeLine; tells: ChatOccasion }) {
  const timeZone = usePlatformZone()
  const { id, username, contact = null, tell = null } = line
  return (
    <span className="flex flex-wrap items-center gap-2">
      {tell && <ChatButton id={id} username={username} isAgain={contact !== null} />}
      {contact?.occasion === tells && <Badge tone="good">Told</Badge>}
      {contact && (
        <span className="text-xs tabular-nums text-soft">
          {shortDay(contact.at, timeZone)}: {OCCASION_NAMES[contact.occasion]}
        </span>
      )}
      {!contact && !tell && <span className="text-soft">Nothing to tell</span>}
    </span>
  )
}

function factsText(facts: BulkFacts, timeZone: string): string {
  if (facts.exists === false) return 'No account'
  if (facts.role !== undefined) {
    const others = FIELD_NAMES.flatMap((name) => ACCOUNT_COLUMNS[name].shown?.(facts) ?? [])
    return [numbersText(facts), ...others].join(', ')
  }
  if (facts.expiryDate !== undefined) {
    const end = facts.expiryDate === null ? 'never' : dayTimeAndZone(facts.expiryDate, timeZone)
    return facts.plan === undefined ? end : `${numbersText(facts)}, ${end}`
  }
  if (facts.isActive !== undefined) return facts.isActive ? 'Active' : 'Inactive'
  if (facts.gifted !== undefined) return `${figure(facts.gifted)} extra today`
  return numbersText(facts)
}

function numbersText(facts: BulkFacts): string {
  const { plan, videoLimit = 0, speedLimit, videoGenerationSpeed } = facts
  return `${plan ?? 'No plan'}: ${figure(videoLimit)}/day, ${speedLimit} every ${videoGenerationSpeed} s`
}
