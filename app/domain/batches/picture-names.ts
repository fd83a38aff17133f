import { plural } from '~/lib/figures'
import { trimText } from '~/lib/text'
import { nameKey, type DraftPicture } from '../videos/requests/pictures'
import type { PromptLine } from './rules'

// How the prompts of a batch name their pictures: `[boat.jpg]` anywhere in a line, or a cell of a table.

const NAME = String.raw`[^[\]\n]{1,120}\.(?:jpe?g|png|webp)`
const MARK = new RegExp(String.raw`\[(?:${NAME})\]`, 'gi')
/** What else stands in brackets. */
const BRACKETS = /\[([^[\]\n]{1,120})\]/g
const WHOLE_NAME = new RegExp(`^${NAME}$`, 'i')

/** Returns whether a cell looks like the name of a file, which an address does not. */
export const isPictureName = (cell: string): boolean =>
  WHOLE_NAME.test(cell) && !cell.includes('://')

/** A prompt, the names of pictures that stood in it, and what else stands in brackets. */
type Split = { text: string; names: string[]; bracketed: string[] }

/** Splits a prompt from the names of pictures in it. */
export function splitPictures(text: string): Split {
  const names = [...text.matchAll(MARK)].map(([mark]) => mark.slice(1, -1))
  const parts = text.split(MARK).map((part) => trimText(part))
  const rest = names.length === 0 ? text : parts.filter((part) => part !== '').join(' ')
  const bracketed = [...rest.matchAll(BRACKETS)].map(([, inside = '']) => inside)
  return { text: rest, names, bracketed }
}

/** Returns a prompt as the box shows it, with the name of its picture. */
export const withPictureName = (text: string, name: string | undefined): string =>
  name === undefined ? text : `[${name}] ${text}`

/**
 * A prompt without the names in it, and where it stands, for messages. `bracketed`: what may be meant as a
 * name.
 */
export type NamedLine = {
  place: string
  text: string
  names: readonly string[]
  bracketed?: readonly string[]
}

/** Returns the lines of the box without the names of pictures in them. */
export const namedLines = (lines: readonly PromptLine[]): NamedLine[] =>
  lines.map(({ line, text }) => ({ place: `Line ${line}`, ...splitPictures(text) }))

/** Says which prompts of the box begin with which picture, and what of that is not clear. */
export function picturesInBox(
  prompts: readonly PromptLine[],
  drafts: readonly DraftPicture[],
): Pick<Assignment, 'problems'> & { says: string[] } {
  const assignment = assignPictures(
    namedLines(prompts),
    drafts.map(({ name }) => name),
  )
  return { problems: assignment.problems, says: picturesText(assignment) }
}

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
  const byKey = new Map(known.map((name) => [nameKey(name), name]))
  const [first, ...others] = known
  const empty = lines.flatMap(({ place, text, names }) =>
    names.length > 0 && text === '' ? [`${place} has a picture and no prompt`] : [],
  )
  if (lines.every(({ names }) => names.length === 0)) {
    const pictures = lines.map(() => (others.length === 0 ? (first ?? null) : null))
    const problems = others.length > 0 && lines.length > 0 ? [whichIsWhose(first)] : []
    return { pictures, problems, unused: [] }
  }
  const found = lines.map((line) => pictureOf(byKey, line))
  const pictures = found.map(({ name }) => name)
  return {
    pictures,
    problems: [...empty, ...found.flatMap(({ problem }) => problem ?? [])],
    unused: known.filter((name) => !pictures.includes(name)),
  }
}

const whichIsWhose = (name = '') =>
  `There are several pictures. Write the name of its picture into each line, such as [${name}], or keep one picture for all.`

type Found = { name: string | null; problem?: string }

function pictureOf(
  byKey: ReadonlyMap<string, string>,
  { place, names, bracketed = [] }: NamedLine,
): Found {
  const [key, ...more] = new Set(names.map(nameKey))
  if (key === undefined) {
    const meant = bracketed.flatMap((inside) => meantBy(inside, byKey) ?? [])[0]
    if (meant === undefined) return { name: null }
    // Without its picture the video would be paid for, and be another one.
    const problem = `${place} seems to mean the picture ${meant}. Write [${meant}], or leave out the brackets.`
    return { name: null, problem }
  }
  if (more.length > 0) return { name: null, problem: `${place} names more than one picture` }
  const name = byKey.get(key)
  if (name !== undefined) return { name }
  return {
    name: null,
    problem: `${place} names the picture ${names[0]}, which is not there. Add it, or remove its name.`,
  }
}

/** Returns the picture whose name, without its ending, is in brackets. */
function meantBy(inside: string, byKey: ReadonlyMap<string, string>): string | undefined {
  const meant = nameKey(inside)
  return [...byKey].find(([key]) => key.replace(/\.[a-z]+$/, '') === meant)?.[1]
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
