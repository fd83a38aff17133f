import type { CardView, FilterValues } from '~/domain/videos/types'
import { excerpt } from '~/lib/text'

/**
 * A ticked video: how a failure names it, and whether it had a clip, had failed and had a star when it
 * was ticked.
 */
export type Picked = {
  id: string
  prompt: string
  hasClip: boolean
  hasFailed?: boolean
  starred?: boolean
}

/**
 * The ticked videos of a list: some of them by id, on any of its pages, or all that matched its filters
 * at a moment, except some. Videos that came later are not among them.
 */
export type Selection =
  | { kind: 'some'; picked: readonly Picked[] }
  | {
      kind: 'all'
      until: string
      count: number
      filters: FilterValues
      except: readonly string[]
    }

export const NONE: Selection = { kind: 'some', picked: [] }

export const sizeOf = (selection: Selection): number =>
  selection.kind === 'some' ? selection.picked.length : selection.count - selection.except.length

/** As much of a prompt as a message of a failure shows. */
const NAME_CHARACTERS = 40

type Place = Pick<CardView, 'id' | 'createdAt'>

/** Returns whether a card of the list with these filters is ticked. */
export function isTicked(selection: Selection, card: Place, filters: FilterValues): boolean {
  if (selection.kind === 'some') return selection.picked.some(({ id }) => id === card.id)
  const { until, except } = selection
  return isSame(filters, selection.filters) && card.createdAt <= until && !except.includes(card.id)
}

type Ticked = Pick<CardView, 'id' | 'createdAt' | 'prompt' | 'videoUrl' | 'status' | 'starred'>

/**
 * Ticks or unticks cards of the list with these filters. A tick in another list than that of which all
 * are selected begins a new selection.
 */
export function withTicks(
  selection: Selection,
  cards: readonly Ticked[],
  { isOn, filters }: { isOn: boolean; filters: FilterValues },
): Selection {
  const ids = new Set(cards.map(({ id }) => id))
  if (selection.kind === 'all' && isSame(filters, selection.filters)) {
    const rest = selection.except.filter((id) => !ids.has(id))
    return { ...selection, except: isOn ? rest : [...rest, ...ids] }
  }
  const before = selection.kind === 'some' ? selection.picked : []
  const rest = before.filter(({ id }) => !ids.has(id))
  const added = cards.map(pickedAs)
  return { kind: 'some', picked: isOn ? [...rest, ...added] : rest }
}

/** Returns what is kept of a card that is ticked. */
export const pickedAs = ({ id, prompt, videoUrl, status, starred }: Ticked): Picked => ({
  id,
  prompt: excerpt(prompt, NAME_CHARACTERS),
  hasClip: videoUrl !== null,
  hasFailed: status === 'error',
  starred,
})

/** Returns the ids of the ticked cards that are not on the page any more, because they are deleted. */
export function withoutGone(selection: Selection, gone: ReadonlySet<string>): Selection {
  if (selection.kind === 'all' || !selection.picked.some(({ id }) => gone.has(id))) return selection
  return { kind: 'some', picked: selection.picked.filter(({ id }) => !gone.has(id)) }
}

type Fields = Record<string, string | readonly string[]>

/** Returns a selection as the fields of a form (app/domain/videos/gallery/choice.ts). */
export function fieldsOf(selection: Selection, scope: string): Fields {
  const common = { choice: 'selected', scope }
  if (selection.kind === 'some') return { ...common, ids: selection.picked.map(({ id }) => id) }
  const { filters, until, except } = selection
  return { ...common, ...filledIn(filters), all: until, except }
}

const filledIn = (filters: FilterValues): Record<string, string> =>
  Object.fromEntries(
    Object.entries(filters).flatMap(([name, value]) => (value ? [[name, value]] : [])),
  )

const isSame = (a: FilterValues, b: FilterValues): boolean =>
  JSON.stringify(filledIn(a)) === JSON.stringify(filledIn(b))

/** Where a tab keeps the selection of an account's list. */
const keyOf = (owner: string) => `ticked ${owner}`

/** Reads what `keep` has written. Anything else is no selection. */
export function readKept(owner: string): Selection {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(keyOf(owner)) ?? 'null')
    return isSelection(kept) ? kept : NONE
  } catch {
    return NONE
  }
}

/** Keeps a selection in this tab, so that it outlives the page. */
export function keep(owner: string, selection: Selection): void {
  try {
    if (sizeOf(selection) === 0) sessionStorage.removeItem(keyOf(owner))
    else sessionStorage.setItem(keyOf(owner), JSON.stringify(selection))
  } catch {
    // Without storage the selection ends with the page.
  }
}

const isSelection = (value: unknown): value is Selection =>
  typeof value === 'object' &&
  value !== null &&
  ('picked' in value ? Array.isArray(value.picked) : 'except' in value && 'until' in value)
