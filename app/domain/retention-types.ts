/** One kind of row that is removed because it is old, as the System page shows it. */
export type RetentionRule = {
  name: string
  what: string
  /** Null: kept for ever. 0: removed as soon as it has no more use. */
  days: number | null
  removed: number
  removedAt: string | null
}
