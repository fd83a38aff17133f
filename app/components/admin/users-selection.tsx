import { Link, useLocation } from '@remix-run/react'
import { useEffect, useSyncExternalStore } from 'react'
import type { UserTableQuery } from '~/domain/administration/list-schemas'
import { userTableAddress } from '~/domain/administration/user-list'
import type { ListedUser } from '~/domain/administration/types'
import {
  isTicked,
  NO_SELECTION,
  selectionParams,
  withBoxes,
  type UserSelection,
} from '~/domain/administration/user-selection'
import { textLinkClass } from '../ui/text-link'
import { SELECTION_FORM } from './users-table'

/** Returns the ids of the users that have a box: administrators are never changed in bulk. */
export const boxesOf = (users: readonly ListedUser[]): string[] =>
  users.filter(({ role }) => role !== 'admin').map(({ id }) => id)

/**
 * Returns the selection as the boxes show it, also after they were pressed. With scripts the
 * address follows, so that going back shows the same ticks.
 */
export function useSelection(saved: UserSelection, shown: readonly string[]): UserSelection {
  const initial = shown.filter((id) => isTicked(saved, id)).join()
  const ticked = useSyncExternalStore(
    onChanges,
    // A new function per rendering, so that React also asks after the rows have changed.
    () => tickedIds() ?? initial,
    () => initial,
  )
  const selection = withBoxes(saved, { shown, ticked: ticked.split(',') })
  const { scope = '', picked = '' } = selectionParams(selection)
  const { key } = useLocation()
  useEffect(() => writeAddress({ scope, picked }), [key, scope, picked])
  return selection
}

/** Puts the selection into the address, without a navigation: the page shows it already. */
function writeAddress(params: Readonly<Record<string, string>>): void {
  const next = new URLSearchParams(window.location.search)
  for (const [name, value] of Object.entries(params)) {
    if (value === '') next.delete(name)
    else next.set(name, value)
  }
  const isSame = String(next) === String(new URLSearchParams(window.location.search))
  if (!isSame) window.history.replaceState(window.history.state, '', `?${next}`)
}

type Props = { query: UserTableQuery; selection: UserSelection; shown: readonly string[] }

/**
 * Ticks the users of the page, or all users found on all pages. With scripts a link also sets the
 * boxes: its address may be the one that the page was loaded with, before they were pressed by hand.
 */
export function SelectUsers({ query, selection, shown }: Props) {
  if (shown.length === 0) return null
  const choices: [string, UserSelection][] = [
    ['Select all on page', withBoxes(selection, { shown, ticked: shown })],
    ['Select all found', { scope: 'filter', picked: [] }],
    ['Select none', NO_SELECTION],
  ]
  return (
    <div className="flex flex-wrap items-center gap-x-4 text-sm">
      {choices.map(([label, choice]) => (
        <Link
          key={label}
          to={userTableAddress(query, choice)}
          preventScrollReset
          replace
          onClick={() => {
            for (const box of boxes() ?? []) box.checked = isTicked(choice, box.value)
          }}
          className={`${textLinkClass} md:min-h-9`}
        >
          {label}
        </Link>
      ))}
    </div>
  )
}

function onChanges(notify: () => void): () => void {
  document.addEventListener('change', notify)
  return () => document.removeEventListener('change', notify)
}

/** Returns the ids of the ticked boxes, or null if the page has none. */
const tickedIds = (): string | null =>
  boxes()
    ?.filter(({ checked }) => checked)
    .map(({ value }) => value)
    .join() ?? null

/** Returns the boxes of the users, or null if the page has no form for them. */
function boxes(): HTMLInputElement[] | null {
  const form = document.getElementById(SELECTION_FORM)
  if (!(form instanceof HTMLFormElement)) return null
  return Array.from(form.elements).filter(
    (box): box is HTMLInputElement => box instanceof HTMLInputElement && box.name === 'ids',
  )
}
