import { Link, useLocation } from '@remix-run/react'
import {
  countsText,
  nameOfToken,
  type TokenFilter,
  type TokenPage,
  type TokenView,
} from '~/domain/tokens/desk-rules'
import { causeOf } from '~/domain/videos/holds'
import { dialogAddress } from '~/lib/dialog-address'
import { figure } from '~/lib/figures'
import { paths } from '~/lib/paths'
import { dayAndTime } from '~/lib/time'
import { ActionForm } from '~/components/ui/action-form'
import { buttonClass } from '~/components/ui/button'
import { DataCell, DataRow, DataTable } from '~/components/ui/data-table'
import { EmptyState } from '~/components/ui/empty-state'
import { FilterForm, FilterSelect } from '~/components/ui/filter-form'
import { Icon } from '~/components/ui/icon'
import type { IconName } from '~/components/ui/icon-names'
import { SubmitButton } from '~/components/ui/submit-button'
import { textLinkClass } from '~/components/ui/text-link'
import { usePlatformZone } from '~/components/ui/use-root-data'
import { StateBadge } from '~/components/admin/tokens/token-state'

const COLUMNS = ['Token', 'State', 'Orders', 'Users', 'Notes', 'Actions']

const STATES = [
  { value: 'all', label: 'All states' },
  { value: 'ok', label: 'OK' },
  { value: 'cooling', label: 'Paused' },
  { value: 'spent', label: 'No credits' },
  { value: 'dead', label: 'Dead' },
]
const SORTS = [
  { value: 'place', label: 'In order of use' },
  { value: 'state', label: 'Dead and paused first' },
  { value: 'failures', label: 'Most failures first' },
]

/** The filters of the token desk, stored in the URL. */
export function TokenFilters({ query: { state, sort } }: { query: TokenFilter }) {
  return (
    <FilterForm label="Find tokens" values={{ state, sort }}>
      <FilterSelect name="state" label="State" options={STATES} defaultValue={state} />
      <FilterSelect name="sort" label="Order" options={SORTS} defaultValue={sort} />
    </FilterForm>
  )
}

type Props = { page: TokenPage; emptyText: string }

/** All tokens with which videos are ordered, with the state and the figures of each. */
export function TokenTable({ page: { tokens }, emptyText }: Props) {
  if (tokens.length === 0) return <EmptyState text={emptyText} />
  return (
    <DataTable caption="Tokens" columns={COLUMNS}>
      {tokens.map((token) => (
        <TokenRow key={token.id} view={token} />
      ))}
    </DataTable>
  )
}

function placeText({ place, position }: TokenView): string {
  if (place === 'default') return 'the platform’s own'
  return place === 'pool' ? `place ${figure(position ?? 0)} in the pool` : 'outside the pool'
}

function accountText({ account, sharesWith, otherProvider }: TokenView): string {
  const of = otherProvider === null ? '' : `of ${otherProvider}, `
  const others = sharesWith === 0 ? '' : `, shared with ${figure(sharesWith)} more`
  if (account !== null) return `${of}account ${account}${others}`
  return of + (sharesWith === 0 ? 'own account' : `server’s account${others}`)
}

function TokenRow({ view }: { view: TokenView }) {
  const timeZone = usePlatformZone()
  return (
    <DataRow>
      <DataCell place="whole">
        <b className="[overflow-wrap:anywhere] block font-medium wide:min-w-36">
          {view.label}{' '}
          {view.lastFour && <span className="whitespace-nowrap">…{view.lastFour}</span>}
        </b>
        <span className="block text-xs text-soft">{placeText(view)}</span>
        <span className="[overflow-wrap:anywhere] block text-xs text-soft">
          {accountText(view)}
        </span>
      </DataCell>
      <DataCell>
        <StateBadge state={view.state} death={view.death} />
        {view.isUnused && (
          <span className="block text-xs text-warn wide:min-w-32">
            Not used: its provider is not set up at its address. Paste it again.
          </span>
        )}
        {view.coolUntil && (
          <span className="block text-xs text-soft">
            {view.state === 'spent' ? 'next try' : 'until'} {dayAndTime(view.coolUntil, timeZone)}
            {view.pauseReason && `, because ${causeOf(view.pauseReason)}`}
          </span>
        )}
        {view.lastError && (
          <span className="[overflow-wrap:anywhere] block text-xs wide:min-w-32">
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
        <TokenActions view={view} />
      </DataCell>
    </DataRow>
  )
}

function Holders({ view: { holders, holderCount } }: { view: TokenView }) {
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

function Notes({ view: { note, paidUntil, isPaidOver, costPerVideo } }: { view: TokenView }) {
  if (note === null && paidUntil === null && costPerVideo === null) return 'None'
  return (
    <>
      {paidUntil && (
        <span className={`block ${isPaidOver ? 'text-warn' : ''}`}>
          {isPaidOver ? 'Was paid until' : 'Paid until'} {paidUntil}
        </span>
      )}
      {costPerVideo && <span className="block">{Number(costPerVideo)} per video</span>}
      {note && <span className="[overflow-wrap:anywhere] block wide:min-w-24">{note}</span>}
    </>
  )
}

/** Rows of the pool are named by their place, as on the panel of the users' page. */
const subjectOf = (view: TokenView) =>
  view.position === null ? nameOfToken(view) : `token ${view.position}`

/** An order is sent to see whether a paused or suspended account takes orders again. */
const mayBeTried = ({ coolUntil, death }: TokenView) => coolUntil !== null || death === 'suspended'

/** What is often needed has a word, the rest an icon: the column stays narrow. */
function TokenActions({ view }: { view: TokenView }) {
  const { id, place, holderCount } = view
  const subject = subjectOf(view)
  return (
    <div className="-mr-2.5 flex flex-wrap items-center wide:mr-0 wide:flex-nowrap">
      {mayBeTried(view) && <OneButton id={id} intent="try-now" label="Try now" on={subject} />}
      <OneButton id={id} intent="check" label="Test" on={subject} />
      <OneLink id={id} dialog="edit-token" label="Edit" icon="pencil" on={subject} />
      {holderCount > 0 && (
        <OneLink id={id} dialog="replace" label="Replace" icon="refresh-cw" on={subject} />
      )}
      {place !== 'default' && (
        <OneLink id={id} dialog="remove" label="Remove" icon="trash-2" on={subject} />
      )}
    </div>
  )
}

type OneProps = { id: string; label: string; on: string }

const OneButton = ({ id, intent, label, on }: OneProps & { intent: string }) => (
  <ActionForm intent={intent} preventScrollReset className="mr-1">
    <input type="hidden" name="id" value={id} />
    <SubmitButton
      intent={intent}
      look="plain"
      className="whitespace-nowrap"
      aria-label={`${label} ${on}`}
    >
      {label}
    </SubmitButton>
  </ActionForm>
)

function OneLink({ id, dialog, label, icon, on }: OneProps & { dialog: string; icon: IconName }) {
  const { search } = useLocation()
  return (
    <Link
      to={dialogAddress(search, dialog, id)}
      preventScrollReset
      className={buttonClass('quiet', 'px-2.5')}
      aria-label={`${label} ${on}`}
      data-tooltip={label}
    >
      <Icon name={icon} className="size-4" />
    </Link>
  )
}
