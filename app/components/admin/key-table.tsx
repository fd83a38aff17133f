import { Link } from '@remix-run/react'
import {
  countsText,
  nameOfKey,
  stateText,
  type KeyFilter,
  type KeyPage,
  type KeyView,
} from '~/domain/tokens/desk-rules'
import { causeOf } from '~/domain/videos/holds'
import { figure } from '~/lib/figures'
import { paths } from '~/lib/paths'
import { dayAndTime } from '~/lib/time'
import { ActionForm } from '../ui/action-form'
import { Badge, type BadgeTone } from '../ui/badge'
import { DataCell, DataRow, DataTable } from '../ui/data-table'
import { DialogLink } from '../ui/dialog-link'
import { EmptyState } from '../ui/empty-state'
import { FilterForm, FilterSelect } from '../ui/filter-form'
import { SubmitButton } from '../ui/submit-button'
import { textLinkClass } from '../ui/text-link'
import { usePlatformZone } from '../ui/use-root-data'

const COLUMNS = ['Token', 'State', 'Orders', 'Users', 'Notes', 'Actions']

const TONES = { ok: 'good', cooling: 'warn', dead: 'bad' } as const satisfies Record<
  KeyView['state'],
  BadgeTone
>

const STATES = [
  { value: 'all', label: 'All states' },
  { value: 'ok', label: 'OK' },
  { value: 'cooling', label: 'Paused' },
  { value: 'dead', label: 'Dead' },
]
const SORTS = [
  { value: 'place', label: 'In order of use' },
  { value: 'state', label: 'Dead and paused first' },
  { value: 'failures', label: 'Most failures first' },
]

/** The filters of the token desk, stored in the URL. */
export function KeyFilters({ query: { state, sort } }: { query: KeyFilter }) {
  return (
    <FilterForm label="Find tokens" values={{ state, sort }}>
      <FilterSelect name="state" label="State" options={STATES} defaultValue={state} />
      <FilterSelect name="sort" label="Order" options={SORTS} defaultValue={sort} />
    </FilterForm>
  )
}

type Props = { page: KeyPage; emptyText: string }

/** All keys with which videos are ordered, with the state and the figures of each. */
export function KeyTable({ page: { keys }, emptyText }: Props) {
  if (keys.length === 0) return <EmptyState text={emptyText} />
  return (
    <DataTable caption="Tokens" columns={COLUMNS}>
      {keys.map((key) => (
        <KeyRow key={key.id} view={key} />
      ))}
    </DataTable>
  )
}

function placeText({ place, position }: KeyView): string {
  if (place === 'default') return 'the platform’s own'
  return place === 'pool' ? `place ${figure(position ?? 0)} in the pool` : 'outside the pool'
}

function accountText({ account, sharesWith }: KeyView): string {
  const others = sharesWith === 0 ? '' : `, shared with ${figure(sharesWith)} more`
  if (account !== null) return `account ${account}${others}`
  return sharesWith === 0 ? 'own account' : `server’s account${others}`
}

function KeyRow({ view }: { view: KeyView }) {
  const timeZone = usePlatformZone()
  return (
    <DataRow>
      <DataCell place="whole">
        <b className="block break-words font-medium">
          {view.label}{' '}
          {view.lastFour && <span className="whitespace-nowrap">…{view.lastFour}</span>}
        </b>
        <span className="block text-xs text-soft">{placeText(view)}</span>
        <span className="block break-words text-xs text-soft">{accountText(view)}</span>
      </DataCell>
      <DataCell>
        <Badge tone={TONES[view.state]}>{stateText(view)}</Badge>
        {view.coolUntil && (
          <span className="block text-xs text-soft">
            until {dayAndTime(view.coolUntil, timeZone)}
            {view.pauseReason && `, because ${causeOf(view.pauseReason)}`}
          </span>
        )}
        {view.lastError && (
          <span className="block break-words text-xs">
            Last error: {view.lastError}
            {view.lastErrorAt && (
              <span className="block text-soft">{dayAndTime(view.lastErrorAt, timeZone)}</span>
            )}
          </span>
        )}
      </DataCell>
      <DataCell label="Orders" className="text-xs tabular-nums">
        <span className="block">Today: {countsText(view.today)}</span>
        <span className="block">30 days: {countsText(view.month)}</span>
      </DataCell>
      <DataCell label="Users">
        <Holders view={view} />
      </DataCell>
      <DataCell label="Notes" className="text-xs">
        <Notes view={view} />
      </DataCell>
      <DataCell place="end">
        <KeyActions view={view} />
      </DataCell>
    </DataRow>
  )
}

function Holders({ view: { holders, holderCount } }: { view: KeyView }) {
  if (holderCount === 0) return 'None'
  const more = holderCount - holders.length
  return (
    <ul>
      {holders.map(({ id, username }) => (
        <li key={id}>
          <Link
            to={`${paths.admin.users}?dialog=edit&on=${id}`}
            className={`${textLinkClass} break-all wide:whitespace-nowrap`}
          >
            {username}
          </Link>
        </li>
      ))}
      {more > 0 && <li className="text-xs text-soft">and {figure(more)} more</li>}
    </ul>
  )
}

function Notes({ view: { note, paidUntil, isPaidOver, costPerVideo } }: { view: KeyView }) {
  if (note === null && paidUntil === null && costPerVideo === null) return 'None'
  return (
    <>
      {paidUntil && (
        <span className={`block ${isPaidOver ? 'text-warn' : ''}`}>
          {isPaidOver ? 'Was paid until' : 'Paid until'} {paidUntil}
        </span>
      )}
      {costPerVideo && <span className="block">{Number(costPerVideo)} per video</span>}
      {note && <span className="block break-words">{note}</span>}
    </>
  )
}

/** Rows of the pool are named by their place, as on the panel of the users' page. */
const subjectOf = (view: KeyView) =>
  view.position === null ? nameOfKey(view) : `token ${view.position}`

function KeyActions({ view }: { view: KeyView }) {
  const { id, state, place, holderCount } = view
  const subject = subjectOf(view)
  return (
    <div className="flex flex-wrap gap-2 wide:w-44">
      {state === 'cooling' && <OneButton id={id} intent="try-now" label="Try now" on={subject} />}
      <OneButton id={id} intent="check" label="Test" on={subject} />
      <DialogLink dialog="edit-key" on={id} aria-label={`Edit ${subject}`}>
        Edit
      </DialogLink>
      {holderCount > 0 && (
        <DialogLink dialog="replace" on={id} aria-label={`Replace ${subject}`}>
          Replace
        </DialogLink>
      )}
      {place !== 'default' && (
        <DialogLink dialog="remove" on={id} aria-label={`Remove ${subject}`}>
          Remove
        </DialogLink>
      )}
    </div>
  )
}

type OneProps = { id: string; intent: string; label: string; on: string }

const OneButton = ({ id, intent, label, on }: OneProps) => (
  <ActionForm intent={intent} preventScrollReset>
    <input type="hidden" name="id" value={id} />
    <SubmitButton intent={intent} look="plain" aria-label={`${label}: ${on}`}>
      {label}
    </SubmitButton>
  </ActionForm>
)
