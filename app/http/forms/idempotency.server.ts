import { createHash } from 'node:crypto'
import { isId, newId } from '~/lib/ids'
import { AppError } from '~/domain/errors'

const SHAPE = /^[\x21-\x7e]{1,200}$/

/** The request's Idempotency-Key, if it has one. Throws BAD_INPUT for one that cannot be kept. */
export function readIdempotencyKey(request: Request): string | undefined {
  const key = request.headers.get('idempotency-key')
  if (key === null) return undefined
  if (SHAPE.test(key)) return `call:${key}`
  throw new AppError('BAD_INPUT', 'Idempotency-Key must be 1 to 200 visible ASCII characters')
}

/** A one-use key for a page's generating form: the same page sent twice orders once. */
export const newFormKey = (): string => newId()

/**
 * The key of a posted form. Another text under the same key (somebody went back and typed something
 * else) is another order, not a conflict, so the key the order gets includes what was typed.
 */
export function readFormKey(data: FormData): string | undefined {
  const key = data.get('formKey')
  if (typeof key !== 'string' || !isId(key)) return undefined
  const text = createHash('sha256')
    .update(JSON.stringify([...data.entries()]))
    .digest('base64url')
  return `form:${key}:${text}`
}
