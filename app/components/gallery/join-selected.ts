import { FILM_LIMITS, tooMany } from '~/domain/films/rules'
import { paths } from '~/lib/paths'
import { showToast } from '../ui/toasts'
import { entriesOf, type Chosen } from './downloads'
import { NOTHING_SELECTED } from './nothing-selected'
import { fieldsOf, sizeOf } from './selection'

/** Goes to the page where the ticked clips become one film. An address has no room for many. */
export function joinSelected({ selection, scope }: Chosen, go: (to: string) => void): void {
  const count = sizeOf(selection)
  if (count === 0) return showToast(NOTHING_SELECTED)
  if (count > FILM_LIMITS.mostClips) {
    return showToast({ kind: 'error', title: 'Too many clips', description: tooMany(count) })
  }
  go(`${paths.joinClips}?${new URLSearchParams(entriesOf(fieldsOf(selection, scope)))}`)
}
