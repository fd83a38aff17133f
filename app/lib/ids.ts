import { NIL, v7 } from 'uuid'

/** A new id: a UUID whose order is the order of creation, so that indexes grow at their end. */
export const newId = (): string => v7()

/** Where a walk through all ids begins: before every one there is. */
export const BEFORE_ALL_IDS: string = NIL

/** A key of a browser's own for one order. Random alone: it has no order, and needs no library. */
export const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('.')

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** Whether a string from outside can be an id at all; PostgreSQL would answer anything else with an error. */
export const isId = (value: string): boolean => UUID.test(value)
