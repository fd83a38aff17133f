import { z } from 'zod'
import { readWholeNumber } from '~/lib/digits'
import { trimmedText } from '~/lib/fields'
import { nameOnOneLine } from '~/lib/text'
import { FILM_LIMITS } from './rules'
import type { Step } from './rules'

/** The clips of a film and the places typed beside them, as `order` and `join` send them. */
const clipFields = {
  ids: z.array(z.string()),
  // An empty box has no place.
  place: z
    .array(z.string().optional())
    .transform((places) => places.map((text) => readWholeNumber(text))),
}

/** Changes the order: a button moves one clip, or the typed places are applied. */
export const orderForm = z.object({
  ...clipFields,
  name: z.string().optional(),
  move: z
    .string()
    .optional()
    .transform((text = ''): Step | null => {
      const [, way, place] = /^(up|down) (\d{1,4})$/.exec(text) ?? []
      return way === 'up' || way === 'down' ? { way, place: Number(place) } : null
    }),
})

/** Returns the clips that the address of a film names. */
export const readIds = (search: URLSearchParams): string[] =>
  (search.get('ids') ?? '').split(',').filter((id) => id !== '')

/** Orders a film. */
export const newFilmForm = z.object({
  ...clipFields,
  name: z.preprocess(
    (value) => (typeof value === 'string' ? nameOnOneLine(value) : value),
    trimmedText({
      label: 'Name',
      max: FILM_LIMITS.nameCharacters,
      tooShort: 'Give the film a name',
    }),
  ),
})
