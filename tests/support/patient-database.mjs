// Loaded into a web server with --import: its statements, transactions and connections may take minutes. On
// a machine with several times as many tests as processors the product's own limits of seconds would end
// requests with 503. The tests of these limits run without this.
import { createRequire } from 'node:module'

const PATIENCE_MS = 180_000

const pg = createRequire(import.meta.url)('pg')
const { Pool } = pg

pg.Pool = class extends Pool {
  /** @param {any} options */
  constructor({ onConnect, ...options }) {
    super({
      ...options,
      connectionTimeoutMillis: PATIENCE_MS,
      query_timeout: PATIENCE_MS,
      onConnect: async (/** @type {any} */ client) => {
        await onConnect?.(client)
        await client.query(
          `set statement_timeout = ${PATIENCE_MS}; set idle_in_transaction_session_timeout = ${PATIENCE_MS}`,
        )
      },
    })
  }
}
