import { figure } from '~/lib/figures'
import { AppError } from '../errors'
import { MOST_PROMPTS, promptsIn, type PromptTable } from './prompt-file.server'
import { withoutStamp } from './chat-stamps'
import { isJsonObject, withoutListSigns } from '../batches/rules'
import { countWritten, hasGap, OWN_PLACE, unknownPlaces, worded, writtenOut } from './wording'

/** How the prompts of a list are made from the rows of its table. */
type Writing = {
  withoutStamps: boolean
  withoutSigns: boolean
  isWrittenOut: boolean
  wording: string | null
}

/**
 * `source` is the row of the table, of which several prompts may be made. `hasGap`: the wording names a cell
 * that is empty.
 */
type Written = { prompt: string; source: number; hasGap: boolean }

/**
 * Returns every prompt of a table, in an order that cleaning does not change; '' for one of which
 * nothing is left. Throws BAD_INPUT for more than a list takes.
 */
export function promptsOf(table: PromptTable, writing: Writing): Written[] {
  const { isWrittenOut, wording } = writing
  const texts = promptsIn(table)
  // A line of a hundred characters may stand for millions: nothing is written before they are counted.
  refuseTooMany(texts, writing)
  const names = namesOf(table)
  const wordings = wording === null ? null : writtenOut(wording)
  return texts.flatMap((typed, source) =>
    (isWrittenOut ? writtenOut(typed) : [typed]).flatMap((text) => {
      const prompt = cleaned(text, writing)
      if (wordings === null || isJsonObject(text)) return [{ source, prompt, hasGap: false }]
      const row = { names, cells: table.rows[source] ?? [] }
      return wordings.map((one) => ({
        source,
        prompt: prompt && worded(one, prompt, row),
        hasGap: hasGap(one, row),
      }))
    }),
  )
}

function cleaned(text: string, { withoutStamps, withoutSigns }: Writing): string {
  const message = withoutStamps ? withoutStamp(text) : text
  return withoutSigns ? withoutListSigns(message) : message
}

function refuseTooMany(texts: readonly string[], { isWrittenOut, wording }: Writing): void {
  const rows = isWrittenOut
    ? texts.reduce((sum, text) => sum + countWritten(text), 0)
    : texts.length
  const count = rows * (wording === null ? 1 : countWritten(wording))
  if (count <= MOST_PROMPTS) return
  const problem = `The variants make ${figure(count)} prompts. A list takes ${figure(MOST_PROMPTS)}.`
  throw new AppError('BAD_INPUT', problem, { fields: { wording: [problem] } })
}

/**
 * Returns the names of a table's columns in a wording, each once: `Animal`, `Animal 2`. What would make
 * variants or end a place, such as `A|B`, is a slash.
 */
export function namesOf({ columns }: Pick<PromptTable, 'columns'>): string[] {
  const taken = new Set<string>()
  return columns.map(({ heading }, i) => {
    const name = heading.replace(/[{}|"]/g, '/') || `Column ${i + 1}`
    let free = name
    for (let n = 2; taken.has(free.toLowerCase()); n++) free = `${name} ${n}`
    taken.add(free.toLowerCase())
    return free
  })
}

/** Returns what a wording may name. The only column is the prompt itself. */
export function placesOf(table: PromptTable): string[] {
  const others = namesOf(table)
    .map((name) => `{${name}}`)
    .filter((place) => place.toLowerCase() !== OWN_PLACE)
  return [OWN_PLACE, ...(table.columns.length > 1 ? others : [])]
}

/** Throws BAD_INPUT if a wording names what is no column. */
export function refuseUnknownPlaces(wording: string, table: PromptTable): void {
  const [unknown] = unknownPlaces(wording, namesOf(table))
  if (unknown === undefined) return
  const known = placesOf(table).slice(0, 20).join(', ')
  const problem = `There is no column {${unknown}}. You can use ${known}`
  throw new AppError('BAD_INPUT', problem, { fields: { wording: [problem] } })
}
