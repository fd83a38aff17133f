import { createHash } from 'node:crypto'
import { newId } from '~/lib/ids'
import { AppError } from '~/domain/errors'

const SHAPE = /^[\x21-\x7e]{1,200}$/

/**
 * Returns the request's Idempotency-Key, if it has one. Throws BAD_INPUT for a key that cannot be
 * stored.
 */
export function readIdempotencyKey(request: Request): string | undefined {
  const key = request.headers.get('idempotency-key')
  if (key === null) return undefined
  if (SHAPE.test(key)) return `call:${key}`
  throw new AppError('BAD_INPUT', 'Idempotency-Key must be 1 to 200 visible ASCII characters')
}

/** Shape of `newFormKey` and of the keys that scripts make (`newKey`). */
const FORM_KEY = /^[a-z0-9.-]{8,64}$/

/** Returns a one-use key for the forms of a page, so that a form sent twice takes effect once. */
export const newFormKey = (): string => newId()

/**
 * Returns the key of a posted form. The key includes a hash of what was typed: a user who goes back
 * and changes the text makes another order, not a conflict.
 */
export function readFormKey(data: FormData): string | undefined {
  const key = data.get('formKey')
  if (typeof key !== 'string' || !FORM_KEY.test(key)) return undefined
  const text = createHash('sha256')
    .update(JSON.stringify([...data.entries()]))
    .digest('base64url')
  return `form:${key}:${text}`
}
