/**
 * How a language writes numbers, in four characters: the sign between groups of digits, the one
 * before decimals, the digits per group above the thousands (3, or 2 in South Asia: 12,34,567), and
 * the least number of digits that are grouped (4, or 5 in Spanish and Polish).
 */
export type NumberFormat = string

export const ENGLISH: NumberFormat = ',.34'

/** Returns the reader's format. The page carries it from the server to the browser. */
export let readFormat = () => ENGLISH

/** Sets where the reader's format is found: on the server the request, in the browser the page. */
export const readFormatFrom = (source: () => NumberFormat) => void (readFormat = source)

/**
 * Formats a number, or the text of one, with the separators of the reader's language: 100,156 or
 * 100.156. The digits are 0 to 9 in every language. `Intl` is not used here, because the server's and
 * the browser's may format differently, and React needs the same text from both.
 */
export function figure(value: number | string): string {
  const [group = '', decimal, size, from] = readFormat()
  const [whole = '', ...decimals] = `${value}`.split('.')
  const thousands = new RegExp(`\\B(?=(\\d{${size}})*\\d{3}$)`, 'g')
  const grouped = whole.length < Number(from) ? whole : whole.replace(thousands, group)
  return [grouped, ...decimals].join(decimal)
}

/** Formats a number of bytes: `12 kB`, `3.4 MB`, `8 GB`. */
export function sizeOf(bytes: number): string {
  const units = ['kB', 'MB', 'GB', 'TB'] as const
  let [value, unit] = [bytes / 1000, 0]
  for (; value >= 999.5 && unit < units.length - 1; unit += 1) value /= 1000
  const shown = value < 9.95 && unit > 0 ? Math.round(value * 10) / 10 : Math.ceil(value)
  return `${figure(shown)} ${units[unit]}`
}

/** Formats a count with its noun: `1 video`, `2 videos`, `1,000 videos`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${figure(count)} ${count === 1 ? one : many}`
}
