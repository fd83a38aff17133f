import { coerceFormValue } from '@conform-to/zod/v3/future'
import { json } from '@remix-run/node'
import type { ZodTypeAny, output } from 'zod'
import { HTTP_STATUS, type FieldErrors } from '~/domain/errors'
import { hasMoreLines } from '~/lib/text-limits'

/** The typed values by field name. A field that was sent several times is a list. */
type Typed = Record<string, FormDataEntryValue | FormDataEntryValue[]>

type Parsed<Value> = { ok: true; value: Value } | { ok: false; error: FieldErrors }

/** Maximum number of fields per form: more than the largest selection that a page offers. */
const MOST_FIELDS = 20_000
/** Maximum number of field names per form. Returning a failed form takes time per name. */
const MOST_NAMES = 200

/**
 * Reads the fields of a posted form. Throws a 400 for a body that is not form data, is malformed or
 * has too many fields or field names, or a text of too many lines: each is counted before anything is split,
 * checked or shown again, which takes time per line.
 */
export async function readForm(request: Request): Promise<FormData> {
  const { data, tooLong } = await readTypedForm(request)
  if (tooLong.length > 0) throw json(null, HTTP_STATUS.BAD_INPUT)
  return data
}

/** A form, and the names of its texts of too many lines, which are no longer in it. */
export type TypedForm = { data: FormData; tooLong: string[] }

/** The same for a page that shows the form again: texts of too many lines are left out and named. */
export async function readTypedForm(request: Request): Promise<TypedForm> {
  const type = request.headers.get('content-type') ?? ''
  try {
    const isQuery = /^application\/x-www-form-urlencoded\b/i.test(type)
    const data = isQuery
      ? fromQuery(await request.text())
      : await fromParts(Buffer.from(await request.arrayBuffer()), type)
    const names = new Set(data.keys())
    if (names.size > MOST_NAMES) throw new Error('too many names')
    const tooLong = [...names].filter((name) =>
      data.getAll(name).some((value) => typeof value === 'string' && hasMoreLines(value)),
    )
    for (const name of tooLong) data.delete(name)
    return { data, tooLong }
  } catch {
    throw json(null, HTTP_STATUS.BAD_INPUT)
  }
}

/**
 * Counts the fields before parsing them, because a field takes far more memory than its bytes take
 * to send.
 */
function fromQuery(text: string): FormData {
  if (text.split('&', MOST_FIELDS + 1).length > MOST_FIELDS) throw new Error('too many fields')
  const data = new FormData()
  for (const [name, value] of new URLSearchParams(text)) data.append(name, value)
  return data
}

/**
 * Parses a form with a schema. Empty fields are omitted, and numbers and checkboxes are read from
 * their texts. Names are used literally: the product's forms are flat, and a name like
 * `a[1000000]`, read as an index of a list, would let one field exhaust the memory. The run time is
 * linear in the size of the form.
 */
export function parseForm<Schema extends ZodTypeAny>(
  schema: Schema,
  data: FormData,
): Parsed<output<Schema>> {
  const result = coerceFormValue(schema).safeParse(fieldsOf(data))
  if (result.success) return { ok: true, value: result.data }
  const error: FieldErrors = {}
  for (const { path, message } of result.error.issues) (error[path.join('.')] ??= []).push(message)
  return { ok: false, error }
}

/** Maximum number of parts of a form with files. Such forms have a few fields. */
const MOST_PARTS = 2_000

/** The same for a form with files: its parts are counted before they are read. */
function fromParts(bytes: Buffer, type: string): Promise<FormData> {
  const boundary = /\bboundary="?([^";]+)/i.exec(type)?.[1]
  if (boundary === undefined) throw new Error('no boundary')
  let parts = 0
  for (
    let at = bytes.indexOf(`--${boundary}`);
    at !== -1;
    at = bytes.indexOf(`--${boundary}`, at + 1)
  )
    if (++parts > MOST_PARTS) throw new Error('too many parts')
  return new Response(new Uint8Array(bytes), { headers: { 'content-type': type } }).formData()
}

/** Groups the values of a form by field name. */
export function fieldsOf(data: FormData): Typed {
  const lists = new Map<string, FormDataEntryValue[]>()
  for (const [name, value] of data) {
    const values = lists.get(name)
    if (values) values.push(value)
    else lists.set(name, [value])
  }
  return Object.fromEntries(
    [...lists].map(([name, values]) => [name, values.length > 1 ? values : (values[0] ?? '')]),
  )
}

/** Returns a text field of a form, or '' if it is missing. */
export function textOf(data: FormData, name: string): string {
  const value = data.get(name)
  return typeof value === 'string' ? value : ''
}

/** Returns the files of a field. Where none was chosen, a browser sends an empty one. */
export const filesOf = (data: FormData, name: string): File[] =>
  data.getAll(name).flatMap((file) => (file instanceof File && file.size > 0 ? [file] : []))

/** Returns the file of a field, also an empty one; without a name and bytes if none was sent. */
export async function fileOf(
  data: FormData,
  name: string,
): Promise<{ name: string; bytes: Buffer }> {
  const file = data.get(name)
  return file instanceof File
    ? { name: file.name, bytes: Buffer.from(await file.arrayBuffer()) }
    : { name: '', bytes: Buffer.alloc(0) }
}
