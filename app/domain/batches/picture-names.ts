import { plural } from '~/lib/figures'
import { nameKey, type DraftPicture } from '../videos/requests/pictures'

// How the prompts of a batch have their pictures: one for all, or each names its own, in a cell of a table or
// in a call of a program.

/** A prompt by its place, for messages, and the name of the picture that it asks for. */
export type NamedLine = { place: string; picture: string | null }

/** Why several pictures are refused if no prompt names any. */
export const SEVERAL_PICTURES =
  'There are several pictures. Keep one for all prompts, or name one for each prompt: a table has a column Picture for that.'

/** Says how the prompts of the box begin. They name no pictures, so they have the only one. */
export function picturesInBox(
  count: number,
  drafts: readonly DraftPicture[],
): Pick<Assignment, 'problems'> & { says: string[] } {
  const lines = Array.from({ length: count }, () => ({ place: '', picture: null }))
  const assignment = assignPictures(lines, namesOf(drafts))
  return { problems: assignment.problems, says: picturesText(assignment) }
}

/** Returns the names of the pictures in a form. */
export const namesOf = (drafts: readonly DraftPicture[]): string[] => drafts.map(({ name }) => name)

export type Assignment = {
  /** The picture of each line, by its name in the form. */
  pictures: (string | null)[]
  problems: string[]
  unused: string[]
}

/**
 * Gives each line its picture: the one that it names; if no line names any, the only one. `known` are the
 * names of the pictures in the form.
 */
export function assignPictures(lines: readonly NamedLine[], known: readonly string[]): Assignment {
  if (lines.every(({ picture }) => picture === null)) {
    const [first = null, ...others] = known
    const isClear = others.length === 0 || lines.length === 0
    const pictures = lines.map(() => (isClear ? first : null))
    return { pictures, problems: isClear ? [] : [SEVERAL_PICTURES], unused: [] }
  }
  const byKey = new Map(known.map((name) => [nameKey(name), name]))
  const pictures = lines.map(({ picture }) => byKey.get(nameKey(picture ?? '')) ?? null)
  const problems = lines.flatMap(({ place, picture }, i) =>
    picture === null || pictures[i] !== null
      ? []
      : [`${place} names the picture ${picture}, which is not there. Add it, or remove its name.`],
  )
  return { pictures, problems, unused: known.filter((name) => !pictures.includes(name)) }
}

/** Says which prompts begin with which picture, one text per picture, and which are not used. */
export function picturesText({
  pictures,
  unused,
}: Pick<Assignment, 'pictures' | 'unused'>): string[] {
  const names = [...new Set(pictures)].filter((name) => name !== null)
  if (names.length === 0 && unused.length === 0) return []
  const said = names.map((name) => {
    const indexes = pictures.flatMap((one, index) => (one === name ? [index] : []))
    return `${name}: ${plural(indexes.length, 'video')}${which(indexes, pictures)}`
  })
  const without = pictures.filter((name) => name === null).length
  return [
    ...said,
    ...(without > 0 ? [`Without a picture: ${plural(without, 'video')}`] : []),
    ...(unused.length > 0 ? [`Not used: ${unused.join(', ')}`] : []),
  ]
}

/** Numbers of prompts that a text names; the others are counted. */
const MOST_PLACES = 10

function which(indexes: readonly number[], { length }: { length: number }): string {
  if (indexes.length === length) return ''
  const shown = indexes.slice(0, MOST_PLACES).map((index) => index + 1)
  return ` (${indexes.length === 1 ? 'prompt' : 'prompts'} ${shown.join(', ')}${indexes.length > MOST_PLACES ? ', …' : ''})`
}
