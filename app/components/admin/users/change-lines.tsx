import type { BulkFacts } from '~/domain/administration/changes/bulk-rules'
import { figure } from '~/lib/figures'
import { dayTimeAndZone } from '~/lib/time'
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
  /** Since the change the chat was opened to tell the user that they are renewed. */
  isTold?: boolean
}

const COLUMNS = ['Username', 'Old', 'New']

type Props = {
  lines: readonly ChangeLine[]
  count: number
  /** Whether the users can be told that they are renewed. */
  hasChats?: boolean
}

/** The users of a change with their old and new values. */
export function ChangeLines({ lines, count, hasChats = false }: Props) {
  const timeZone = usePlatformZone()
  return (
    <>
      {hasChats && <ChatForm occasion="renewed" />}
      <DataTable caption="Old and new" columns={hasChats ? [...COLUMNS, 'Tell the user'] : COLUMNS}>
        {lines.map(({ id, username, before, after, isSkipped, isTold = false }) => (
          <DataRow key={id}>
            <DataCell place="whole" className="font-medium">
              <UserLink id={id} username={username} />{' '}
              {isSkipped && <Badge tone="warn">Changed since, left alone</Badge>}
            </DataCell>
            <DataCell label="Old">{factsText(before, timeZone)}</DataCell>
            <DataCell label="New">{factsText(after, timeZone)}</DataCell>
            {hasChats && (
              <DataCell place="end">
                <ChatButton id={id} username={username} isAgain={isTold} />{' '}
                {isTold && <Badge tone="good">Told</Badge>}
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

function factsText(facts: BulkFacts, timeZone: string): string {
  if (facts.exists === false) return 'No account'
  if (facts.role !== undefined) {
    const state = facts.isActive === false ? 'Inactive' : 'Active'
    return `${numbersText(facts)}, ${facts.role}, ${state}`
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
