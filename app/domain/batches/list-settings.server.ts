import { plural } from '~/lib/figures'
import { excerpt } from '~/lib/text'
import { eachText, ORDER_TEXTS, TEXT_NAMES, type TextName } from '../videos/order-fields'
import type { AspectRatio } from '../videos/types'
import type { PromptTable } from './prompt-file.server'
import type { Role } from './prompt-headings'

/**
 * Returns what the other columns of a table say about the videos of the rows that are kept, and notes
 * about what is not used. A batch has one value of each.
 */
export function settingsIn(table: PromptTable, kept: ReadonlySet<number>) {
  const notes: string[] = []
  if (table.above > 0) notes.push(`Left out above the heading: ${plural(table.above, 'row')}`)
  const [only] = table.columns
  if (only && only.heading !== '' && table.columns.length === 1)
    notes.push(`The first row, "${excerpt(only.heading, 60)}", is the heading`)
  const one = (role: 'ratio' | TextName, name: string) => {
    const at = table.columns.findIndex((column) => column.role === role)
    const heading = table.columns[at]?.heading
    if (heading === undefined) return null
    const rows = table.rows.filter((_, row) => kept.has(row))
    const values = new Set(rows.map((row) => (row[at] ?? '').trim()).filter((text) => text !== ''))
    const [value] = values
    if (values.size === 1 && value !== undefined) return { heading, value }
    if (values.size > 1)
      notes.push(
        `The column "${heading}" has several values and is not used: a batch has one ${name}`,
      )
    return null
  }
  const typed = one('ratio', 'aspect ratio')
  const ratio = typed && ratioOf(typed.value)
  if (typed)
    notes.push(
      ratio === null
        ? `The column "${typed.heading}" is not used: ${typed.value} is neither portrait nor landscape`
        : `The aspect ratio is that of the column "${typed.heading}"`,
    )
  const texts = eachText((role) => {
    const name = ORDER_TEXTS[role].label.toLowerCase()
    const found = one(role, name)
    if (found) notes.push(`The ${name} is that of the column "${found.heading}"`)
    return found?.value ?? null
  })
  const others = table.columns
    .filter(({ heading, role }, i) => heading !== '' && i !== table.column && !isSetting(role))
    .map(({ heading }) => `"${heading}"`)
  if (others.length > 0) notes.push(`Not used: ${others.slice(0, 20).join(', ')}`)
  return { ratio, texts, notes }
}

/** Whether a column says something about the videos beside their prompts. */
const isSetting = (role: Role) => role === 'ratio' || TEXT_NAMES.some((name) => name === role)

function ratioOf(text: string): AspectRatio | null {
  const word = text.toLowerCase().replace(/\s/g, '')
  if (/^(?:portrait|vertical|upright|9[:x/]16|720x1280)/.test(word)) return 'portrait'
  return /^(?:landscape|horizontal|wide|16[:x/]9|1280x720)/.test(word) ? 'landscape' : null
}
