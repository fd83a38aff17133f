// The reading layer reads answers of servers that nobody has seen before. It looks for what an
// answer must say (an id, a status, an address, an error) in the places where servers put it.

export type JsonObject = Readonly<Record<string, unknown>>

/** Returns whether a JSON value is an object, not a list and not null. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns a value as an object; an empty one if it is none. */
export const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {})

/** Returns a text or a number as trimmed text, or null if the value is neither or blank. */
export function textOf(value: unknown): string | null {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  if (typeof value !== 'string') return null
  const text = value.trim()
  return text === '' ? null : text
}

/** Spells a name or a code as lower-case words: `insufficientQuota` and `INSUFFICIENT_QUOTA` alike. */
export const wordsOf = (name: string): string =>
  name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replaceAll(/[\s_.:/-]+/g, ' ')
    .trim()

/** Spells a name without case and signs, to compare names of fields and states. */
export const bare = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')

const WRAPPERS = ['data', 'output', 'result', 'response', 'job', 'task', 'video'] as const

/**
 * Returns the objects in which an answer may speak of an order, the innermost first: servers wrap it
 * as `{code, message, data: {…}}`, and what is inside is about the order. A list counts as its first
 * element.
 */
export function layersOf(response: unknown): readonly JsonObject[] {
  const root = Array.isArray(response) ? objectOf(response[0]) : objectOf(response)
  const inside = WRAPPERS.flatMap((name) => {
    const value = root[name]
    const first: unknown = Array.isArray(value) ? value[0] : value
    return isObject(first) ? [first] : []
  })
  const deeper = inside.flatMap((layer) =>
    WRAPPERS.flatMap((name) => (isObject(layer[name]) ? [layer[name]] : [])),
  )
  return [...deeper, ...inside, root]
}

/** Returns the first value that one of the layers has under one of the names, as text. */
export function firstText(layers: readonly JsonObject[], names: readonly string[]): string | null {
  for (const layer of layers) {
    for (const name of names) {
      const text = textOf(layer[name])
      if (text !== null) return text
    }
  }
  return null
}
