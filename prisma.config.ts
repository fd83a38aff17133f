import { randomUUID } from 'node:crypto'
import type { EventEmitter } from 'node:events'
import { PrismaPg } from '@prisma/adapter-pg'
import { ColumnTypeEnum } from '@prisma/driver-adapter-utils'
import pg from 'pg'
import { parseIntoClientConfig } from 'pg-connection-string'
import { defineConfig } from 'prisma/config'
import { REASON } from './scripts/lib/prisma.mjs'
import { reasonOf } from './scripts/lib/reason.mjs'
import { runScript } from './scripts/lib/run-script.mjs'

// The schema engine runs as WebAssembly over the ordinary driver, so that no engine binary is ever
// downloaded (docs/decisions/0002-prisma-without-downloads.md). Adapter 6.19 needs the corrections
// below to migrate a real database.

/**
 * Catalogue types that the adapter cannot read: "char" and name are read as text, name[] as text[].
 */
const CHAR = 18
const READABLE_TYPE = new Map([
  [CHAR, 25],
  [19, 25],
  [1003, 1009],
])
/** Names of columns of the type "char", which has to be reported to the engine. */
const charColumns = new Set<string>()

class CatalogClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config)
    const connection: EventEmitter = Reflect.get(this, 'connection')
    connection.on('rowDescription', (message: { fields: pg.FieldDef[] }) => {
      for (const field of message.fields) {
        if (field.dataTypeID === CHAR) charColumns.add(field.name)
        field.dataTypeID = READABLE_TYPE.get(field.dataTypeID) ?? field.dataTypeID
      }
    })
  }
}

/**
 * Returns separate fields instead of the connection string, with which the shadow database would be
 * the real one. The driver's own parser reads them, so that TLS, sockets and IPv6 work as in the
 * product.
 */
function connectionFields(): pg.ClientConfig {
  return parseIntoClientConfig(process.env.DATABASE_URL ?? 'postgresql://localhost/none')
}

class MigrationAdapter extends PrismaPg {
  readonly #fields: pg.ClientConfig

  constructor(fields: pg.ClientConfig) {
    super({ ...fields, Client: CatalogClient })
    this.#fields = fields
  }

  override async connect() {
    const connection = await super.connect()
    // The adapter splits a script at every semicolon, even inside functions, so the script is sent
    // whole.
    connection.executeScript = (script) => this.#run(script)
    const queryRaw = connection.queryRaw.bind(connection)
    connection.queryRaw = async (query) => {
      const result = await queryRaw(query)
      const columnTypes = result.columnTypes.map((type, i) =>
        charColumns.has(result.columnNames[i] ?? '') ? ColumnTypeEnum.Character : type,
      )
      // PostgreSQL 18 lists NOT NULL among the constraints, and the engine panics at unknown kinds.
      const kind = result.columnNames.indexOf('constraint_type')
      const rows = kind < 0 ? result.rows : result.rows.filter((row) => row[kind] !== 'n')
      return { ...result, columnTypes, rows }
    }
    return connection
  }

  /** Disconnects before it drops the shadow database, which the adapter itself does not. */
  override async connectToShadowDb() {
    const database = `reelmill_shadow_${randomUUID().replaceAll('-', '')}`
    await this.#run(`create database ${database}`)
    const shadow = await new MigrationAdapter({ ...this.#fields, database }).connect()
    const dispose = shadow.dispose.bind(shadow)
    shadow.dispose = async () => {
      await dispose()
      await this.#run(`drop database ${database} with (force)`)
    }
    return shadow
  }

  async #run(script: string) {
    try {
      await runScript(this.#fields, script)
    } catch (error) {
      // The engine reports only that an external error occurred.
      process.stderr.write(`${REASON}${reasonOf(error)}\n`)
      throw error
    }
  }
}

export default defineConfig({
  schema: 'prisma/schema.prisma',
  experimental: { adapter: true },
  engine: 'js',
  adapter: async () => new MigrationAdapter(connectionFields()),
})
