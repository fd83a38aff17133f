import { isId } from '~/lib/ids'

/**
 * The users that the administrator has ticked, on all pages of the list: the picked ones, or all
 * that the filters find except the picked ones.
 */
export type UserSelection = { scope: 'chosen' | 'filter'; picked: readonly string[] }

/** The boxes of one page: the users that have one, and those of them that are ticked. */
type Boxes = { shown: readonly string[]; ticked: readonly string[] }

export const NO_SELECTION: UserSelection = { scope: 'chosen', picked: [] }

/** Ids in one address. With more of them proxies would refuse its length (8 KB). */
const MOST_PICKED = 250

/** Returns whether the box of a user is ticked. */
export const isTicked = ({ scope, picked }: UserSelection, id: string): boolean =>
  picked.includes(id) === (scope === 'chosen')

/** Returns whether a selection names more users than an address can hold. */
export const isTooLarge = ({ picked }: UserSelection): boolean => picked.length > MOST_PICKED

export const TOO_LARGE = `At most ${MOST_PICKED} users can be ticked, or left out, one by one. Narrow the list with the filters, and select all found.`

/** Returns the selection with the boxes of one page as they are now. Those of other pages stay. */
export function withBoxes({ scope, picked }: UserSelection, boxes: Boxes): UserSelection {
  const elsewhere = picked.filter((id) => !boxes.shown.includes(id))
  const here = boxes.shown.filter((id) => boxes.ticked.includes(id) === (scope === 'chosen'))
  return { scope, picked: [...elsewhere, ...here] }
}

/**
 * Reads the selection of an address. A form adds the boxes of its page: `shown`, and `ids` of those
 * that are ticked.
 */
export function readUserSelection(params: URLSearchParams): UserSelection {
  const scope = params.get('scope') === 'filter' ? 'filter' : 'chosen'
  const saved = { scope, picked: unpack(params.get('picked') ?? '') } as const
  const ticked = params.getAll('ids').filter(isId)
  // An address that names users without a list of boxes picks them.
  const shown = params.has('shown')
    ? unpack(params.get('shown') ?? '')
    : scope === 'chosen'
      ? ticked
      : []
  return withBoxes(saved, { shown, ticked })
}

/** Returns the parameters of an address with this selection. */
export const selectionParams = ({ scope, picked }: UserSelection): Record<string, string> => ({
  ...(scope === 'filter' && { scope }),
  ...(picked.length > 0 && { picked: packIds(picked) }),
})

/** Characters of a packed id: its 16 bytes in base64url. */
const PACKED = 22

/** Packs ids for an address. Unpacked, they would be nearly twice as long. */
export const packIds = (ids: readonly string[]): string =>
  ids
    .map((id) => {
      const bytes = (id.replaceAll('-', '').match(/../g) ?? []).map((hex) =>
        Number.parseInt(hex, 16),
      )
      return btoa(String.fromCharCode(...bytes))
        .slice(0, PACKED)
        .replaceAll('+', '-')
        .replaceAll('/', '_')
    })
    .join('')

function unpack(text: string): string[] {
  const packed = text.match(new RegExp(`[\\w-]{${PACKED}}`, 'g')) ?? []
  return [...new Set(packed.map(unpackOne))].filter(isId)
}

function unpackOne(packed: string): string {
  const bytes = Array.from(atob(packed.replaceAll('-', '+').replaceAll('_', '/')), (one) =>
    one.charCodeAt(0).toString(16).padStart(2, '0'),
  ).join('')
  return bytes.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
