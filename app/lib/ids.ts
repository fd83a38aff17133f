import { NIL, v7 } from 'uuid'

/** Returns a new UUID v7. Such ids sort by time of creation, so that indexes grow at their end. */
export const newId = (): string => v7()

/** An id that sorts before all others: the start of a walk through all ids. */
export const BEFORE_ALL_IDS: string = NIL

/**
 * Returns a random idempotency key for one order. Its sort order does not matter, so it needs no
 * library.
 */
export const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('.')

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/**
 * Returns whether an untrusted string has the form of an id. PostgreSQL raises an error for any
 * other.
 */
export const isId = (value: string): boolean => UUID.test(value)
