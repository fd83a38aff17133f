/** What the folder of the nightly backups holds. */
export type BackupState = {
  /** The newest complete file; null if there is none. Its age counts from its last byte. */
  newest: { ageSeconds: number; bytes: number } | null
  /** What was wrong with the last run, or why the folder cannot be read; null if nothing was. */
  problem: string | null
  /** The copies in the bucket; null if no bucket is set. */
  copy: BackupCopy | null
}

export type BackupCopy = {
  /** Since the last one was sent whole; null: never. */
  ageSeconds: number | null
  /** Why the newest backup was not sent; null if it was. */
  problem: string | null
}

/**
 * Reads the folder of the nightly backups. Rejects if it cannot be read. Null if none is configured.
 */
export type ReadBackups = (() => Promise<BackupState>) | null
