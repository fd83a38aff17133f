import { plural } from '~/lib/figures'
import { nameKey, type DraftPicture } from '../videos/requests/pictures'

// How the prompts of a batch have their pictures: one for all, or each names its own, in a cell of a table or
// in a call of a program.

/** A prompt by its place, for messages, and the names of the pictures that it asks for. */
export type NamedLine = { place: string; picture: string | null; endPicture: string | null }

/** Why several pictures are refused if no prompt names any. */
export const SEVERAL_PICTURES =
  'There are several pictures. Keep one for all prompts, or name one for each prompt: a table has a column Picture for that.'

/** Says how the prompts of the box begin. They name no pictures, so they have the only one. */
export function picturesInBox(
  count: number,
  drafts: readonly DraftPicture[],
): Pick<Assignment, 'problems'> & { says: string[] } {
  const lines = Array.from({ length: count }, () => ({
    place: '',
    picture: null,
    endPicture: null,
  }))
  const assignment = assignPictures(lines, { names: namesOf(drafts), takesEnds: false })
  return { problems: assignment.problems, says: picturesText(assignment) }
}

/** Returns the names of the pictures in a form. */
export const namesOf = (drafts: readonly DraftPicture[]): string[] => drafts.map(({ name }) => name)

export type Assignment = {
  /** The picture of each line, by its name in the form. */
  pictures: (string | null)[]
  /** In the same way the pictures with which the lines end. */
  ends: (string | null)[]
  problems: string[]
  unused: string[]
}

/** The names of the pictures in a form, and whether the model takes pictures for the end of a video. */
type Known = { names: readonly string[]; takesEnds: boolean }

/**
 * Gives each line its pictures: those that it names; if no line names any, all begin with the only one.
 */
export function assignPictures(
  lines: readonly NamedLine[],
  { names, takesEnds }: Known,
): Assignment {
  if (lines.every(({ picture, endPicture }) => picture === null && endPicture === null)) {
    const [first = null, ...others] = names
    const isClear = others.length === 0 || lines.length === 0
    const pictures = lines.map(() => (isClear ? first : null))
    const ends = lines.map(() => null)
    return { pictures, ends, problems: isClear ? [] : [SEVERAL_PICTURES], unused: [] }
  }
  const byKey = new Map(names.map((name) => [nameKey(name), name]))
  const found = (name: string | null) => byKey.get(nameKey(name ?? '')) ?? null
  const pictures = lines.map(({ picture }) => found(picture))
  const ends = lines.map(({ endPicture }) => found(endPicture))
  const problems = lines.flatMap((line) => [
    ...missingOf(line.place, [line.picture, line.endPicture], byKey),
    ...endProblems(line, takesEnds),
  ])
  const used = new Set([...pictures, ...ends])
  return { pictures, ends, problems, unused: names.filter((name) => !used.has(name)) }
}

const missingOf = (
  place: string,
  asked: readonly (string | null)[],
  byKey: ReadonlyMap<string, string>,
): string[] =>
  asked
    .filter((name) => name !== null && !byKey.has(nameKey(name)))
    .map(
      (name) =>
        `${place} names the picture ${name}, which is not there. Add it, or remove its name.`,
    )

/** A video ends with a picture only where its model can, and if it begins with one. */
function endProblems({ place, picture, endPicture }: NamedLine, takesEnds: boolean): string[] {
  if (endPicture === null) return []
  if (!takesEnds)
    return [
      `${place} names a picture for its end, ${endPicture}. The video model takes none: remove its name.`,
    ]
  return picture === null
    ? [`${place} names a picture only for its end. Name the one with which it begins as well.`]
    : []
}

/** Says which prompts begin with which picture, one text per picture, and which are not used. */
export function picturesText({
  pictures,
  ends,
  unused,
}: Pick<Assignment, 'pictures' | 'ends' | 'unused'>): string[] {
  const said = [...uses(pictures), ...uses(ends).map((text) => `At the end ${text}`)]
  if (said.length === 0 && unused.length === 0) return []
  const without = pictures.filter((name) => name === null).length
  return [
    ...said,
    ...(without > 0 ? [`Without a picture: ${plural(without, 'video')}`] : []),
    ...(unused.length > 0 ? [`Not used: ${unused.join(', ')}`] : []),
  ]
}

/** Says of each picture which prompts have it. */
const uses = (pictures: readonly (string | null)[]): string[] =>
  [...new Set(pictures)]
    .filter((name) => name !== null)
    .map((name) => {
      const indexes = pictures.flatMap((one, index) => (one === name ? [index] : []))
      return `${name}: ${plural(indexes.length, 'video')}${which(indexes, pictures)}`
    })

/** Numbers of prompts that a text names; the others are counted. */
const MOST_PLACES = 10

function which(indexes: readonly number[], { length }: { length: number }): string {
  if (indexes.length === length) return ''
  const shown = indexes.slice(0, MOST_PLACES).map((index) => index + 1)
  return ` (${indexes.length === 1 ? 'prompt' : 'prompts'} ${shown.join(', ')}${indexes.length > MOST_PLACES ? ', …' : ''})`
}
