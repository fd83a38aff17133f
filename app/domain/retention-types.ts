/** A retention rule as shown on the System page. */
export type RetentionRule = {
  name: string
  what: string
  /** Null: kept for ever. 0: removed as soon as the row has no more use. */
  days: number | null
  removed: number
  removedAt: string | null
}
