/** In a wording, the place of the prompt itself. */
export const OWN_PLACE = '{prompt}'
/** The most characters of a wording. */
export const WORDING_CHARACTERS = 2000

/**
 * `{red|blue}`, with a word in it. The braces of a JSON object enclose quotation marks. What other tools mean by
 * weights (`{0.7::red|blue}`), by picking several (`{2$$red|blue}`), by a setting (`{tone: red|blue}`) and by
 * `\{` is not ours: it stays, and is marked.
 */
const VARIANTS = String.raw`(?<!\\)\{(?![^{}"\n]*(?:::|\$\$|:\s))(?=[\s|]*[^\s|{}])([^{}|"\n]*(?:\|[^{}|"\n]*)+)\}`
const EVERY_VARIANTS = new RegExp(VARIANTS, 'g')
const ANY_VARIANTS = new RegExp(VARIANTS)
/** `{Animal}`, the cell of a column. */
const PLACE = /\{([^{}|"\n]+)\}/g
const ANY_PLACE = new RegExp(PLACE.source)

/**
 * Returns whether a prompt has something in braces that nothing fills in: a name (`A postcard of {city}`), or
 * alternatives that were not written out, such as those around others.
 */
export const hasPlace = (text: string): boolean => ANY_PLACE.test(text) || hasBarInBraces(text)

function hasBarInBraces(text: string): boolean {
  const inside = text.slice(text.indexOf('{') + 1, Math.max(0, text.lastIndexOf('}')))
  return text.includes('{') && inside.includes('|') && !inside.includes('"')
}

/** Returns whether a text stands for several: `A {red|blue} kite`. */
export const hasVariants = (text: string): boolean => ANY_VARIANTS.test(text)

/** Splits a text with variants: the fixed pieces at the even places, a list of variants at the odd ones. */
const choicesIn = (text: string): string[][] =>
  // Splitting by a pattern with a group leaves what the group has found in between.
  text.split(EVERY_VARIANTS).map((part, i) => (i % 2 === 0 ? [part] : part.split('|')))

/** Returns how many texts a text with variants stands for, without writing them. */
export const countWritten = (text: string): number =>
  choicesIn(text).reduce((product, { length }) => product * length, 1)

/**
 * Returns the texts that a text with variants stands for, in order; the text itself if it has none. They
 * may be very many: count them first.
 */
export function writtenOut(text: string): string[] {
  const choices = choicesIn(text)
  if (choices.length === 1) return [text]
  return choices
    .reduce<string[]>(
      (texts, variants) => texts.flatMap((start) => variants.map((variant) => start + variant)),
      [''],
    )
    .map((one) => one.replace(/ {2,}/g, ' ').trim())
}

const plain = (name: string) => name.trim().replace(/\s+/g, ' ').toLowerCase()

/** Returns the names in braces of a wording that are none of these, as they were typed. */
export function unknownPlaces(wording: string, names: readonly string[]): string[] {
  const known = new Set([OWN_PLACE.slice(1, -1), ...names.map(plain)])
  return [...wording.matchAll(PLACE)]
    .map(([, name = '']) => name)
    .filter((name) => !known.has(plain(name)))
}

/** Returns the names of places in a text, in lower case. */
export const placesIn = (text: string): Set<string> =>
  new Set([...text.matchAll(PLACE)].map(([, name = '']) => plain(name)))

/** Returns whether a column of this name fills one of these places. */
export const fills = (heading: string, places: ReadonlySet<string>): boolean =>
  places.has(plain(heading))

/** The columns of a table and the cells of one of its rows. */
type Cells = { names: readonly string[]; cells: readonly string[] }

/** Returns whether a wording names a column whose cell is empty in this row. */
export function hasGap(wording: string, { names, cells }: Cells): boolean {
  const places = placesIn(wording)
  return names.some((name, i) => fills(name, places) && (cells[i] ?? '').trim() === '')
}

/** Returns a wording with the prompt and the cells of its row in their places, on one line. */
export function worded(wording: string, prompt: string, { names, cells }: Cells): string {
  const values = new Map(names.map((name, i) => [plain(name), (cells[i] ?? '').trim()]))
  values.set(OWN_PLACE.slice(1, -1), prompt)
  return wording
    .replace(PLACE, (place, name: string) => values.get(plain(name)) ?? place)
    .replace(/\s+/g, ' ')
    .trim()
}
