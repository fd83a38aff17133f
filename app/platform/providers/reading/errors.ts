import { bare, firstText, isObject, layersOf, objectOf, textOf, type JsonObject } from './json'

/** What an answer says went wrong. Every field may be missing, because servers leave any of them out. */
export type SaidError = {
  message: string
  code?: string
  /** The kind, where the server names one besides the code. */
  type?: string
  /** The field of the order that it complains about. */
  field?: string
}

const MESSAGES = [
  'message',
  'msg',
  'errmsg',
  'err_msg',
  'error_msg',
  'errorMsg',
  'error_message',
  'errorMessage',
  'status_msg',
  'detail',
  'description',
  'reason',
  'title',
] as const
const CODES = [
  'code',
  'error_code',
  'errorCode',
  'err_code',
  'errcode',
  'status_code',
  'ret',
] as const
/** What only a failed order has. */
const FAILURES = [
  'failure',
  'failure_reason',
  'failureReason',
  'fail_reason',
  'failReason',
  'fail_msg',
  'failMsg',
  'task_status_msg',
  'taskStatusMsg',
] as const
const FAILURE_CODES = ['failureCode', 'failure_code', 'fail_code', 'failCode'] as const

/** Codes with which servers say that nothing is wrong. */
const FINE = new Set([
  '0',
  '200',
  '201',
  '202',
  '204',
  '10000',
  'ok',
  'success',
  'succeeded',
  'succeed',
  'true',
  'null',
  'none',
])

/** Returns the error in an answer to a request, in any of the forms that servers use, or null. */
export function errorIn(response: unknown): SaidError | null {
  const root = Array.isArray(response) ? objectOf(response[0]) : objectOf(response)
  return (
    errorOf(root.error ?? root.errors) ??
    detailOf(root.detail) ??
    baseResponse(root.base_resp ?? root.baseResp) ??
    envelope(root) ??
    nested(root)
  )
}

/** Returns what a failed order says about its failure, or null. */
export function jobErrorIn(response: unknown): SaidError | null {
  const layers = layersOf(response)
  for (const layer of layers) {
    const said = errorOf(layer.error ?? layer.errors)
    if (said !== null) return withFailure(said, layers)
  }
  const message = firstText(layers, FAILURES)
  const code = firstText(layers, FAILURE_CODES)
  if (message !== null || code !== null) return made(message, code)
  for (const layer of layers) {
    const said = baseResponse(layer.base_resp) ?? (hasBadCode(layer) ? plain(layer) : null)
    if (said !== null) return said
  }
  const words = firstText(layers, ['error_message', 'errorMessage', 'message', 'msg', 'reason'])
  return words === null || FINE.has(words.toLowerCase()) ? null : { message: words }
}

function withFailure(said: SaidError, layers: readonly JsonObject[]): SaidError {
  if (said.code !== undefined) return said
  const code = firstText(layers, FAILURE_CODES)
  return code === null ? said : { ...said, code }
}

/** Reads the value of `error`: an object, a list of them, or a sentence. */
function errorOf(value: unknown): SaidError | null {
  if (Array.isArray(value)) return errorOf(value[0])
  if (typeof value === 'string') return sentence(value)
  if (!isObject(value)) return null
  // Gateways wrap the error of the server behind them.
  if (isObject(value.error)) return errorOf(value.error)
  if (isObject(value.message)) return errorOf(value.message)
  const said = plain(value)
  if (said !== null) return said
  const [name] = Object.keys(value)
  return name === undefined ? null : { message: JSON.stringify(value), field: name }
}

/** A sentence, or the JSON of the server behind a gateway as text. */
function sentence(text: string): SaidError | null {
  const words = textOf(text)
  if (words === null || FINE.has(words.toLowerCase())) return null
  if (!words.startsWith('{')) return { message: words }
  try {
    return errorIn(JSON.parse(words)) ?? { message: words }
  } catch {
    return { message: words }
  }
}

/** FastAPI's `detail`: a sentence, an object, or a list of invalid fields. */
function detailOf(detail: unknown): SaidError | null {
  if (!Array.isArray(detail)) return errorOf(detail)
  const fields = detail.map(objectOf)
  const message = fields.flatMap(({ msg }) => textOf(msg) ?? []).join('; ')
  const [first] = fields
  const place: unknown = Array.isArray(first?.loc) ? first.loc.at(-1) : undefined
  const field = textOf(place)
  if (message === '') return null
  return field === null ? { message } : { message, field }
}

function baseResponse(value: unknown): SaidError | null {
  if (!isObject(value) || !hasBadCode(value)) return null
  return plain(value)
}

/** `{code, message}` around everything, where the code is one of trouble, or `{success: false}`. */
function envelope(root: JsonObject): SaidError | null {
  const isDenied =
    [root.success, root.ok].includes(false) || root.error === true || root.type === 'error'
  const isBad = hasBadCode(root) || isErrorNumber(root.status) || root.status === false
  return isDenied || isBad ? plain({ code: root.status, ...root }) : null
}

/** `{data: {error: …}}`: an error inside, if nothing outside speaks of one. */
function nested({ data, output, result }: JsonObject): SaidError | null {
  for (const value of [data, output, result]) {
    const said = isObject(value) ? errorOf(value.error) : null
    if (said !== null) return said
  }
  return null
}

function hasBadCode(layer: JsonObject): boolean {
  return CODES.some((name) => {
    const code = layer[name]
    const text = typeof code === 'boolean' ? null : textOf(code)
    return text !== null && !FINE.has(bare(text))
  })
}

const isErrorNumber = (status: unknown): boolean =>
  typeof status === 'number' && status >= 400 && status < 600

function plain(layer: JsonObject): SaidError | null {
  const message = firstText([layer], MESSAGES)
  const code = firstText([layer], CODES) ?? firstText([layer], ['status'])
  const said = made(message, code)
  if (said === null) return null
  const type = textOf(layer.type)
  const field = textOf(layer.param) ?? textOf(layer.field)
  return {
    ...said,
    ...(type === null ? {} : { type }),
    ...(field === null ? {} : { field }),
  }
}

function made(message: string | null, code: string | null): SaidError | null {
  if (message === null && code === null) return null
  return { message: message ?? '', ...(code === null ? {} : { code }) }
}
