import type pg from 'pg'

export type Column = {
  name: string
  typeId: number
  /** The table column, if the value is taken from it unchanged. */
  origin: { table: number; column: number } | undefined
}
export type Description = { parameters: readonly number[]; columns: readonly Column[] }

type Message = { fields: readonly pg.FieldDef[]; dataTypeIDs: readonly number[] }
/** The part of the driver's connection that is used: the messages of the extended protocol. */
type Connection = {
  parse: (query: { name: string; text: string; types: number[] }) => void
  describe: (what: { type: 'S'; name: string }) => void
  sync: () => void
  on: (event: string, listen: (message: Message) => void) => void
  off: (event: string, listen: (message: Message) => void) => void
}

/**
 * Has PostgreSQL parse and analyse a statement without running it. Returns the types of its
 * parameters and columns. Rejects with PostgreSQL's message, e.g. `column "x" does not exist`.
 */
export function describe(client: pg.Client, text: string): Promise<Description> {
  return new Promise((resolve, reject) => {
    let parameters: readonly number[] = []
    let columns: readonly Column[] = []
    const onParameters = ({ dataTypeIDs }: Message) => {
      parameters = dataTypeIDs
    }
    const query: pg.Submittable & Record<string, unknown> = {
      submit(connection) {
        const wire = connection as unknown as Connection
        wire.on('parameterDescription', onParameters)
        query.leave = () => wire.off('parameterDescription', onParameters)
        wire.parse({ name: '', text, types: [] })
        wire.describe({ type: 'S', name: '' })
        wire.sync()
      },
      handleRowDescription({ fields }: Message) {
        columns = fields.map(({ name, dataTypeID, tableID, columnID }) => ({
          name,
          typeId: dataTypeID,
          origin: tableID === 0 ? undefined : { table: tableID, column: columnID },
        }))
      },
      handleError(error: Error) {
        leave()
        reject(error)
      },
      handleReadyForQuery() {
        leave()
        resolve({ parameters, columns })
      },
    }
    const leave = () => (query.leave as (() => void) | undefined)?.()
    client.query(query)
  })
}
