import { Link, useLocation, useNavigation } from '@remix-run/react'
import type { UserRole } from '~/domain/context'
import { daysLeftText, type DaysLeftTone } from '~/domain/administration/rules'
import type { ListedUser } from '~/domain/administration/types'
import { isTicked, type UserSelection } from '~/domain/administration/users/user-selection'
import { dialogAddress } from '~/lib/dialog-address'
import { paths } from '~/lib/paths'
import { figure } from '~/lib/figures'
import { shortDay } from '~/lib/time'
import { ActionForm } from '../../ui/action-form'
import { Badge, type BadgeTone } from '../../ui/badge'
import { buttonClass } from '../../ui/button'
import { DataCell, DataRow, DataTable } from '../../ui/data-table'
import { EmptyState } from '../../ui/empty-state'
import { RowBox } from '../../ui/row-box'
import { Icon } from '../../ui/icon'
import { usePlatformZone } from '../../ui/use-root-data'
import { UserLink } from '../user-link'

const COLUMNS = [
  'Select',
  'Username',
  'Phone',
  'Role',
  'Videos',
  'Quota',
  'Status',
  'Days Left',
  'Actions',
]

const ROLES = { admin: 'Admin', editor: 'Editor', user: 'User' } as const satisfies Record<
  UserRole,
  string
>
export const DAYS_TONE = { plain: 'neutral', warn: 'warn', bad: 'bad' } as const satisfies Record<
  DaysLeftTone,
  BadgeTone
>

/** Id of the form that the rows' checkboxes belong to. */
export const SELECTION_FORM = 'selection'

type TableProps = {
  users: readonly ListedUser[]
  /** The selection of the address, which ticks the boxes. */
  saved: UserSelection
}

/** The users of a page. On small screens each user is a card. */
export function UsersTable({ users, saved }: TableProps) {
  const { state, location } = useNavigation()
  const isLoading = state === 'loading' && location.pathname === paths.admin.users
  return (
    <div aria-busy={isLoading}>
      {/* The rows' buttons belong to this form. One form per row would outweigh all other content. */}
      {users.some(needsLink) && (
        <ActionForm id="password-link" intent="password-link" preventScrollReset />
      )}
      <p role="status" className={isLoading ? 'pb-2 text-sm text-soft' : 'sr-only'}>
        {isLoading ? 'Loading...' : ''}
      </p>
      {users.length === 0 ? (
        <EmptyState text="No users found" />
      ) : (
        <DataTable caption="Users" columns={COLUMNS}>
          {users.map((user) => (
            <UserRow key={user.id} user={user} isTicked={isTicked(saved, user.id)} />
          ))}
        </DataTable>
      )}
    </div>
  )
}

function UserRow({ user, isTicked }: { user: ListedUser; isTicked: boolean }) {
  const days = daysLeftText(user.daysLeft)
  const timeZone = usePlatformZone()
  return (
    <DataRow>
      <DataCell>
        {user.role !== 'admin' && (
          <RowBox
            name="ids"
            value={user.id}
            form={SELECTION_FORM}
            defaultChecked={isTicked}
            aria-label={`Select ${user.username}`}
          />
        )}
      </DataCell>
      <DataCell place="name" className="font-medium">
        <span className="wide:block wide:min-w-28">
          <UserLink id={user.id} username={user.username} />
        </span>
        {user.noteLine !== '' && (
          <span className="line-clamp-2 break-words text-xs font-normal text-soft wide:max-w-28">
            <bdi>{user.noteLine}</bdi>
          </span>
        )}
      </DataCell>
      {/* Usually equal to the username. A card shows it only once. */}
      <DataCell className={user.phone === user.username ? 'hidden wide:table-cell' : ''}>
        <span className="break-all wide:block wide:min-w-28">
          {user.phone ?? <span className="hidden wide:inline">–</span>}
        </span>
      </DataCell>
      <DataCell>
        <Badge tone={user.role === 'admin' ? 'accent' : 'neutral'}>{ROLES[user.role]}</Badge>
      </DataCell>
      <DataCell label="Videos" className="tabular-nums">
        {figure(user.videosGeneratedThisMonth)}
      </DataCell>
      <DataCell label="Quota" className="tabular-nums">
        {figure(user.videoLimit)}/day
        <span className="block text-xs text-soft">{user.plan ?? 'No plan'}</span>
      </DataCell>
      <DataCell>
        <span className="flex flex-wrap gap-1 wide:flex-col wide:items-start">
          <Badge tone={user.isActive ? 'good' : 'bad'}>
            {user.isActive ? 'Active' : 'Inactive'}
          </Badge>
          {!user.hasPassword && <Badge tone="warn">No password</Badge>}
        </span>
      </DataCell>
      <DataCell label="Days Left">
        <Badge tone={DAYS_TONE[days.tone]}>{days.text}</Badge>
        {days.tone === 'bad' && user.expiryDate !== null && (
          <span className="block whitespace-nowrap text-xs text-soft">
            {shortDay(user.expiryDate, timeZone)}
          </span>
        )}
      </DataCell>
      <DataCell place="end">
        <RowActions user={user} />
      </DataCell>
    </DataRow>
  )
}

const canRenew = ({ expiryDate, role }: ListedUser) => expiryDate !== null && role !== 'admin'
const needsLink = ({ hasPassword, isActive }: ListedUser) => !hasPassword && isActive

function RowActions({ user }: { user: ListedUser }) {
  const { search } = useLocation()
  const icon = buttonClass('quiet', 'px-2.5')
  const named = (label: string, tooltip: string) => ({
    'aria-label': `${label} ${user.username}`,
    'data-tooltip': tooltip,
    className: icon,
  })
  const link = (dialog: string, label: string) => ({
    to: dialogAddress(search, dialog, user.id),
    preventScrollReset: true,
    ...named(label, label),
  })
  const button = (form: string, label: string, tooltip: string) => ({
    form,
    name: 'id',
    value: user.id,
    ...named(label, tooltip),
  })
  return (
    <span className="-mr-2.5 flex flex-wrap wide:mr-0 wide:min-w-28">
      <Link {...link('edit', 'Edit')}>
        <Icon name="pencil" className="size-4" />
      </Link>
      {canRenew(user) && (
        <Link {...link('renew', 'Renew')}>
          <Icon name="calendar-plus" className="size-4" />
        </Link>
      )}
      {needsLink(user) && (
        <button {...button('password-link', 'Set-password link for', 'Set-password link')}>
          <Icon name="key-round" className="size-4" />
        </button>
      )}
      <Link {...link('reset', 'Reset counter')}>
        <Icon name="rotate-ccw" className="size-4" />
      </Link>
      <Link {...link('delete', 'Delete')}>
        <Icon name="trash-2" className="size-4" />
      </Link>
    </span>
  )
}
