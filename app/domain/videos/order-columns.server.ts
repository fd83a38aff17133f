import sql, { join, type Sql } from 'sql-template-tag'
import type { OrderFields } from './types'

// The columns of an order's fields in `videos` and `drafts`. Every statement that writes, reads or
// passes on an order's fields uses these fragments, so that none of them can miss one.

type Column = {
  name: Sql
  selected: Sql
  value: (fields: OrderFields) => Sql
  /** The values of several orders, as an array. */
  values: (orders: readonly OrderFields[]) => Sql
}

const COLUMNS: Record<keyof OrderFields, Column> = {
  negativePrompt: {
    name: sql`negative_prompt`,
    selected: sql`negative_prompt as "negativePrompt"`,
    value: ({ negativePrompt }) => sql`${negativePrompt}`,
    values: (orders) => sql`${orders.map(({ negativePrompt }) => negativePrompt)}::text[]`,
  },
  aspectRatio: {
    name: sql`aspect_ratio`,
    selected: sql`aspect_ratio as "aspectRatio"`,
    value: ({ aspectRatio }) => sql`${aspectRatio}::aspect_ratio`,
    values: (orders) => sql`${orders.map(({ aspectRatio }) => aspectRatio)}::aspect_ratio[]`,
  },
}

/** The columns by their names, for `insert into` and `returning`. */
export const ORDER_COLUMNS = join(
  Object.values(COLUMNS).map(({ name }) => name),
  ', ',
)

/** The columns in a select list, which gives OrderFields. */
export const ORDER_FIELDS = join(
  Object.values(COLUMNS).map(({ selected }) => selected),
  ', ',
)

/** Builds the values of `ORDER_COLUMNS` for an `insert`. */
export const orderValues = (fields: OrderFields): Sql =>
  join(
    Object.values(COLUMNS).map(({ value }) => value(fields)),
    ', ',
  )

/** Builds arrays for `unnest`, which gives the values of `ORDER_COLUMNS` for each order. */
export const orderArrays = (orders: readonly OrderFields[]): Sql =>
  join(
    Object.values(COLUMNS).map(({ values }) => values(orders)),
    ', ',
  )

/** Returns the order's fields of a row and nothing else. */
export const orderFieldsOf = ({ negativePrompt, aspectRatio }: OrderFields): OrderFields => ({
  negativePrompt,
  aspectRatio,
})
