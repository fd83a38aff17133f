import { firstText, layersOf, objectOf, textOf, type JsonObject } from './json'

const NAMES = [
  'id',
  'task_id',
  'taskId',
  'video_id',
  'videoId',
  'job_id',
  'jobId',
  'generation_id',
  'generationId',
  'prediction_id',
  'uuid',
] as const

/** The id of an order with some servers, and of the HTTP request with others: the last choice. */
const REQUEST_NAMES = ['request_id', 'requestId'] as const

const NO_ID = new Set(['0', '-1', 'null', 'undefined', 'none', 'nil', 'nan', 'false', 'true'])
const LONGEST_ID = 500

/**
 * Returns the id of the order that an answer speaks of, as text, or null if it names none. It is
 * looked for outside first, because an accepted order usually stands there, and then inside. An
 * answer that contains an error names no order by its request's id alone.
 */
export function orderIdIn(response: unknown, hasError: boolean): string | null {
  const layers = layersOf(response).toReversed()
  const id = usable(layers, NAMES) ?? wholeId(response)
  return id ?? (hasError ? null : usable(layers, REQUEST_NAMES))
}

function usable(layers: readonly JsonObject[], names: readonly string[]): string | null {
  for (const layer of layers) {
    for (const name of names) {
      const id = idOf(firstText([layer], [name]))
      if (id !== null) return id
    }
  }
  return null
}

/** `{code: "success", data: "the id"}`. */
function wholeId(response: unknown): string | null {
  const { data } = objectOf(response)
  const id = idOf(textOf(data))
  return id !== null && /^[\w.:-]{4,}$/.test(id) ? id : null
}

/** An id must be usable in an address and as a key. What is not is no id, so the order is looked up. */
function idOf(text: string | null): string | null {
  if (text === null || text.length > LONGEST_ID || NO_ID.has(text.toLowerCase())) return null
  if (/^-|^\d+\.\d|\s|\p{Cc}/u.test(text)) return null
  return text
}
