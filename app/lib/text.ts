/** PostgreSQL text cannot hold NUL, and a lone surrogate is not text in any encoding. */
const NOT_TEXT = /\u0000|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/

/** Whether a text can be stored and sent on as it is. */
export const isCleanText = (value: string): boolean => !NOT_TEXT.test(value)

/** Something a reader sees: neither a blank nor a control, format or otherwise ignorable sign. */
const VISIBLE = /[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u

/** A text without blanks at its ends; one in which nothing can be seen is ''. */
export const trimText = (text: string): string => (VISIBLE.test(text) ? text.trim() : '')

/** The first `limit` characters, by what a reader counts as characters, with an ellipsis when cut. */
export function excerpt(text: string, limit: number): string {
  const characters = Array.from(text)
  return characters.length <= limit ? text : `${characters.slice(0, limit).join('')}…`
}

/** A number to be read, with commas between thousands: 100,156. */
export const figure = (value: number): string => value.toLocaleString('en')

/** `1 video`, `2 videos`, `1,000 videos`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${figure(count)} ${count === 1 ? one : many}`
}

/**
 * The first words of a text as part of a file's name: letters and digits of any script, hyphens
 * between, at most 40 characters; `none` where the text has no such words.
 */
export function fileNameWords(text: string, none = 'video'): string {
  const words = text
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{M}\p{N}]+/gu)
  const name = Array.from((words ?? []).slice(0, 6).join('-'))
    .slice(0, 40)
    .join('')
  return name.replace(/-$/, '') || none
}

/** The whole number at the start of a value, or null where there is none. */
export function readWholeNumber(value: unknown): number | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null
  const found = Number.parseInt(String(value), 10)
  return Number.isSafeInteger(found) ? found : null
}
