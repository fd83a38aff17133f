import { randomUUID } from 'node:crypto'
import type { Client } from '../support/client'
import type { Customer } from './customers'

// Keys as operators buy them: each with an account of its own.

/** A customer with a key of their own. */
export type Holder = { customer: Customer; token: string }

export type Keys = {
  own: Holder[]
  pool: readonly string[]
  /** Keys about whose orders the provider says nothing any more. */
  gone: Set<string>
}

const POOL_KEYS = 10

/** Returns a key that nobody has. */
export const newKey = (kind: 'own' | 'pool'): string => `${kind}-key-${randomUUID()}`

/** Gives each customer a key of their own, and fills the pool, half of it for the second provider. */
export async function giveKeys(
  admin: Client,
  customers: readonly Customer[],
  second: string | undefined,
): Promise<Keys> {
  const own = customers.map((customer) => ({ customer, token: newKey('own') }))
  for (const { customer, token } of own) {
    const { status } = await admin.call('PATCH', `/api/admin/users/${customer.userId}`, {
      bearerToken: token,
    })
    if (status !== 200) throw new Error(`no key for ${customer.name}: ${status}`)
  }
  const pool = Array.from({ length: POOL_KEYS }, () => newKey('pool'))
  for (const [i, token] of pool.entries()) {
    const provider = second !== undefined && i % 2 === 1 ? { provider: second } : {}
    const { status } = await admin.call('POST', '/api/admin/extra-tokens', { token, ...provider })
    if (status !== 201) throw new Error(`no key in the pool: ${status}`)
  }
  return { own, pool, gone: new Set() }
}
