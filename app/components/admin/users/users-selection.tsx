import { Link, useLocation } from '@remix-run/react'
import { useEffect, useState, useSyncExternalStore } from 'react'
import type { UserTableQuery } from '~/domain/administration/users/list-schemas'
import { userTableAddress } from '~/domain/administration/users/user-list'
import type { ListedUser } from '~/domain/administration/types'
import {
  isTicked,
  NO_SELECTION,
  selectionParams,
  withBoxes,
  type UserSelection,
} from '~/domain/administration/users/user-selection'
import { isPlainPress } from '../../ui/plain-press'
import { textLinkClass } from '../../ui/text-link'
import { SELECTION_FORM } from './users-table'

/** Returns the ids of the users that have a box: administrators are never changed in bulk. */
export const boxesOf = (users: readonly ListedUser[]): string[] =>
  users.filter(({ role }) => role !== 'admin').map(({ id }) => id)

type LiveSelection = {
  /** What the form sends beside the boxes of the page: the address's selection, or a link's since then. */
  base: UserSelection
  /** What is selected now, as the boxes show it. */
  selection: UserSelection
  /** Selects something else, and sets the boxes of the page. Needs scripts. */
  choose: (choice: UserSelection) => void
}

/**
 * Follows the selection as boxes and links are pressed. With scripts the address follows, so that going
 * back shows the same ticks.
 */
export function useSelection(saved: UserSelection, shown: readonly string[]): LiveSelection {
  const { key } = useLocation()
  const [choice, setChoice] = useState({ key, base: saved })
  const base = choice.key === key ? choice.base : saved
  const initial = shown.filter((id) => isTicked(base, id)).join()
  const ticked = useSyncExternalStore(
    onChanges,
    // A new function per rendering, so that React also asks after the rows have changed.
    () => tickedIds() ?? initial,
    () => initial,
  )
  const selection = withBoxes(base, { shown, ticked: ticked.split(',') })
  const { scope = '', picked = '' } = selectionParams(selection)
  useEffect(() => writeAddress({ scope, picked }), [key, scope, picked])
  const choose = (next: UserSelection) => {
    for (const box of boxes() ?? []) box.checked = isTicked(next, box.value)
    setChoice({ key, base: next })
  }
  return { base, selection, choose }
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

type Props = {
  query: UserTableQuery
  selection: UserSelection
  choose: (choice: UserSelection) => void
  shown: readonly string[]
}

/**
 * Ticks the users of the page, or all users found on all pages. With scripts a link loads nothing: a
 * page that arrived later would undo what was pressed in the meantime.
 */
export function SelectUsers({ query, selection, choose, shown }: Props) {
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
          onClick={(event) => {
            if (!isPlainPress(event)) return
            event.preventDefault()
            choose(choice)
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
