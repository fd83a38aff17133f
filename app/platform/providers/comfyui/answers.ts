import { both, is, readRefusal, type Rule } from '../http/refusals'
import { jsonOf, type HttpResponse, type Reading, type Step } from '../http/responses'
import type { Fault } from '../port'
import type { SaidError } from '../reading/errors'
import { isObject, objectOf, textOf, type JsonObject } from '../reading/json'
import type { Job } from '../reading/jobs'

/** An order in the server's queue or history. `clientId` is what we called it. */
export type Entry = { id: string; clientId: string | null; state: JsonObject }

export type Queue = { running: readonly Entry[]; waiting: readonly Entry[] }

/** Reads `[number, id, graph, {client_id}, …]`. */
function entryOf(row: unknown, state: JsonObject = {}): Entry[] {
  if (!Array.isArray(row)) return []
  const cells: readonly unknown[] = row
  const [, id, , extra] = cells
  return typeof id === 'string' ? [{ id, clientId: textOf(objectOf(extra).client_id), state }] : []
}

/** Returns the server's queue, or null if the answer is none. */
export function queueIn(response: HttpResponse): Queue | null {
  const { queue_running: running, queue_pending: waiting } = objectOf(jsonOf(response))
  if (!Array.isArray(running) || !Array.isArray(waiting)) return null
  return {
    running: running.flatMap((row) => entryOf(row)),
    waiting: waiting.flatMap((row) => entryOf(row)),
  }
}

/** Returns the ended orders of a history, or null if the answer is none. */
export function historyIn(response: HttpResponse): Entry[] | null {
  const said = jsonOf(response)
  if (!isObject(said)) return null
  const rows = Object.values(said).map(objectOf)
  const entries = rows.flatMap((row) => entryOf(row.prompt, row))
  return entries.length === rows.length ? entries : null
}

/** Returns an ended order as other services describe theirs. */
export function endOf({ id, state }: Entry, base: string): Job {
  const { status_str: word, messages } = objectOf(state.status)
  const hasFailed = word === 'error'
  return {
    id,
    word: textOf(word),
    meaning: hasFailed ? 'failed' : 'done',
    error: hasFailed ? errorOf(messages) : null,
    clips: hasFailed ? [] : clipsIn(state.outputs, base),
  }
}

const OUT_OF_MEMORY = /out ?of ?memory|allocation on device/i
/** What the workflow or the server lacks: the next order would fail in the same way. */
const LASTING =
  /^(FileNotFound|ModuleNotFound|Import|Attribute|Name|Key|Type)Error$|(No such file|No module named)/

/** Reads the messages of a failed order: `["execution_error", {node_type, exception_message, …}]`. */
function errorOf(messages: unknown): SaidError {
  const events = (Array.isArray(messages) ? messages : []).flatMap((event: unknown) =>
    Array.isArray(event) ? [{ name: textOf(event[0]), data: objectOf(event[1]) }] : [],
  )
  const failure = events.find(({ name }) => name === 'execution_error')?.data
  if (failure === undefined) {
    const isStopped = events.some(({ name }) => name === 'execution_interrupted')
    return { message: isStopped ? 'it was stopped at the server' : 'it failed without a reason' }
  }
  const node = textOf(failure.node_type) ?? 'unknown'
  const code = textOf(failure.exception_type) ?? 'error'
  const words = textOf(failure.exception_message) ?? code
  const isFull = OUT_OF_MEMORY.test(`${code} ${words}`)
  const what = isFull ? 'the server ran out of memory in the node' : 'it failed in the node'
  return { message: `${what} ${node}: ${words}`, code }
}

/** Returns the fault of an order that failed for what the workflow or the server lacks, or null. */
export function lastingFault({ code = '', message }: SaidError): Fault | null {
  if (OUT_OF_MEMORY.test(`${code} ${message}`)) return { kind: 'transient' }
  const isLasting = LASTING.test(code) || LASTING.test(message)
  return isLasting ? { kind: 'permanent', reason: 'other' } : null
}

const VIDEO = [/\.(mp4|m4v|mov)$/i, /\.(webm|mkv)$/i]

/**
 * Returns the addresses of the videos that the nodes of an order have saved, at the configured server,
 * what they keep before what they only show. Nodes list videos as `images`, `gifs` or `videos`.
 */
function clipsIn(outputs: unknown, base: string): string[] {
  const files = Object.values(objectOf(outputs))
    .flatMap((node) => Object.values(objectOf(node)))
    .flatMap((list): unknown[] => (Array.isArray(list) ? list : []))
    .map(objectOf)
    .flatMap(({ filename, subfolder, type }) => {
      const rank = VIDEO.findIndex((form) => typeof filename === 'string' && form.test(filename))
      if (rank === -1) return []
      const place = { subfolder: textOf(subfolder) ?? '', type: textOf(type) ?? 'output' }
      const query = new URLSearchParams({ filename: String(filename), ...place })
      const order = rank + (place.type === 'output' ? 0 : VIDEO.length)
      return [{ url: `${base}/view?${query}`, order }]
    })
    .sort((one, other) => one.order - other.order)
  return [...new Set(files.map(({ url }) => url))]
}

// Refusals

/**
 * What the operator has to mend: no order would be taken as things are. The line waits for it, and the
 * videos fail only if others pass.
 */
const toMend = (): Fault => ({ kind: 'permanent', reason: 'model-gone' })
const transient = (): Fault => ({ kind: 'transient' })

const isSubmit: Rule['when'] = ({ step }) => step === 'submit'
const isQuestion: Rule['when'] = ({ step }) => step === 'poll' || step === 'find'
const isOfGraph: Rule['when'] = ({ code = '' }) =>
  /^(missing_node_type|no_prompt|prompt_|invalid_prompt)/.test(code)

const OWN_RULES: readonly Rule[] = [
  { when: both(isSubmit, is(401, 403)), fault: toMend },
  { when: both(isSubmit, both(is(400), isOfGraph)), fault: toMend },
  // A proxy in front of the server: no order is meant.
  { when: is(401, 403), fault: transient },
  // An order that is not there is answered with 200.
  { when: both(isQuestion, is(404, 410)), fault: transient },
]

/** Returns the fault for a refusal. The words name the nodes of a workflow that is not accepted. */
export function readAnswer(step: Step, response: HttpResponse, now: number): Reading {
  const reading = readRefusal(step, response, { now, own: OWN_RULES })
  const words = nodeWords(jsonOf(response))
  return words === '' ? reading : { ...reading, message: words }
}

/** `{error: {details}, node_errors: {id: {class_type, errors: [{message, details}]}}}`. */
function nodeWords(said: unknown): string {
  const { node_errors: nodes, error } = objectOf(said)
  const named = Object.entries(objectOf(nodes)).flatMap(([id, node]) => {
    const { class_type: name, errors } = objectOf(node)
    return (Array.isArray(errors) ? errors : []).map(
      (each: unknown) => `node ${id} (${textOf(name) ?? 'unknown'}): ${sentenceOf(each)}`,
    )
  })
  return named.length > 0 ? named.join('; ') : sentenceOf(error)
}

const sentenceOf = (error: unknown): string => {
  const { message, details } = objectOf(error)
  return [message, details].flatMap((text) => textOf(text) ?? []).join(': ')
}
