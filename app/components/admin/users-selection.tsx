import { Link, useLocation } from '@remix-run/react'
import { useSyncExternalStore } from 'react'
import { textLinkClass } from '../ui/text-link'
import { useHydrated } from '../ui/use-hydrated'
import { SELECTION_FORM } from './users-table'

/**
 * What `?select=` ticks without scripts: the users of the page, or all users that match the filter.
 */
export type Selection = 'page' | 'filter' | null

export function readSelection(search: string): Selection {
  const select = new URLSearchParams(search).get('select')
  return select === 'page' || select === 'filter' ? select : null
}

type Props = { shown: number; onScope: (scope: 'chosen' | 'filter') => void }

/**
 * Ticks the users of the page, or selects all users found. Without scripts the buttons are links.
 */
export function SelectUsers({ shown, onScope }: Props) {
  const { search } = useLocation()
  const isHydrated = useHydrated()
  if (shown === 0) return null
  const choices = [
    { select: 'page', label: 'Select all on page', scope: 'chosen', isChecked: true },
    { select: 'filter', label: 'Select all found', scope: 'filter', isChecked: true },
    { select: null, label: 'Select none', scope: 'chosen', isChecked: false },
  ] as const
  return (
    <div className="flex flex-wrap items-center gap-x-4 text-sm">
      {choices.map(({ select, label, scope, isChecked }) =>
        isHydrated ? (
          <button
            key={label}
            type="button"
            className={LINK}
            onClick={() => {
              tickAll(isChecked)
              onScope(scope)
            }}
          >
            {label}
          </button>
        ) : (
          <Link key={label} to={addressOf(search, select)} className={LINK}>
            {label}
          </Link>
        ),
      )}
    </div>
  )
}

const LINK = `${textLinkClass} md:min-h-9`

/** Returns how many users are ticked on this page; 0 without scripts. */
export function useTickedUsers(): number {
  return useSyncExternalStore(
    onChanges,
    // A new function per rendering, so that React also asks after the rows have changed.
    () => boxes().filter(({ checked }) => checked).length,
    () => 0,
  )
}

function onChanges(notify: () => void): () => void {
  document.addEventListener('change', notify)
  return () => document.removeEventListener('change', notify)
}

function tickAll(isChecked: boolean): void {
  for (const box of boxes()) box.checked = isChecked
  document.dispatchEvent(new Event('change'))
}

/** Returns the boxes of the users, wherever in the page they are. */
function boxes(): HTMLInputElement[] {
  const form = document.getElementById(SELECTION_FORM)
  if (!(form instanceof HTMLFormElement)) return []
  return Array.from(form.elements).filter(
    (box): box is HTMLInputElement => box instanceof HTMLInputElement && box.name === 'ids',
  )
}

function addressOf(search: string, select: Selection): string {
  const next = new URLSearchParams(search)
  if (select === null) next.delete('select')
  else next.set('select', select)
  return `?${next}`
}
