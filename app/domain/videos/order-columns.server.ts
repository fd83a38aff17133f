import sql, { join, type Sql } from 'sql-template-tag'
import type { OrderFields, SharedFields } from './types'

// The columns of an order's fields in `videos`, `carried_prompts` and `drafts`. Every statement that writes,
// reads or passes on an order's fields uses these fragments, so that none of them can miss one.

type Column<Fields> = {
  name: Sql
  selected: Sql
  value: (fields: Fields) => Sql
  /** The values of several orders, as an array. */
  values: (orders: readonly Fields[]) => Sql
}

const NEGATIVE_PROMPT: Column<SharedFields> = {
  name: sql`negative_prompt`,
  selected: sql`negative_prompt as "negativePrompt"`,
  value: ({ negativePrompt }) => sql`${negativePrompt}`,
  values: (orders) => sql`${orders.map(({ negativePrompt }) => negativePrompt)}::text[]`,
}

const ASPECT_RATIO: Column<SharedFields> = {
  name: sql`aspect_ratio`,
  selected: sql`aspect_ratio as "aspectRatio"`,
  value: ({ aspectRatio }) => sql`${aspectRatio}::aspect_ratio`,
  values: (orders) => sql`${orders.map(({ aspectRatio }) => aspectRatio)}::aspect_ratio[]`,
}

/** What drafts have and providers get as well. */
const SHARED: Record<keyof SharedFields, Column<SharedFields>> = {
  negativePrompt: NEGATIVE_PROMPT,
  aspectRatio: ASPECT_RATIO,
}

/** All of them: a name is that of one video, and no draft has any. */
const COLUMNS: Record<keyof OrderFields, Column<OrderFields>> = {
  negativePrompt: NEGATIVE_PROMPT,
  aspectRatio: ASPECT_RATIO,
  name: {
    name: sql`clip_name`,
    selected: sql`clip_name as name`,
    value: ({ name }) => sql`${name}`,
    values: (orders) => sql`${orders.map(({ name }) => name)}::text[]`,
  },
}

/** The columns by their names, for `insert into` and `returning`. */
export const ORDER_COLUMNS = join(
  Object.values(COLUMNS).map(({ name }) => name),
  ', ',
)

/** The columns of a draft and of an order to a provider, and the same in a select list, which gives SharedFields. */
export const SHARED_COLUMNS = join(
  Object.values(SHARED).map(({ name }) => name),
  ', ',
)
export const SHARED_FIELDS = join(
  Object.values(SHARED).map(({ selected }) => selected),
  ', ',
)

/** Builds the values of `SHARED_COLUMNS` for an `insert`. */
export const sharedValues = (fields: SharedFields): Sql =>
  join(
    Object.values(SHARED).map(({ value }) => value(fields)),
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
export const orderFieldsOf = ({ negativePrompt, aspectRatio, name }: OrderFields): OrderFields => ({
  negativePrompt,
  aspectRatio,
  name,
})
