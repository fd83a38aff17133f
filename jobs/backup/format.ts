import { z } from 'zod'

/** Raised when an archive of before can no longer be read. */
export const FORMAT = 1

export const HEADER = 'backup.json'
export const SECRETS = 'secrets.json'
export const TABLES = 'tables/'
export const JOBS = 'jobs.json'
export const CLIPS = 'clips/'

/** First entry: what was saved, and by what. */
export const headerSchema = z.object({
  format: z.number(),
  /** The database's time of the snapshot: what happened later is not in the backup. */
  takenAt: z.string(),
  /** Applied migrations in their order. */
  migrations: z.array(z.string()),
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()), rows: z.number() })),
  clips: z.number(),
})
export type Header = z.output<typeof headerSchema>

/** Settings that the saved rows cannot be read without. */
export const secretsSchema = z.object({ SESSION_SECRET: z.string(), ENCRYPTION_KEY: z.string() })

/** A waiting job, as the queue's own function takes it. */
export const jobsSchema = z.array(
  z.object({
    task: z.string(),
    payload: z.unknown(),
    queue: z.string().nullable(),
    runAt: z.string(),
    maxAttempts: z.number(),
    key: z.string().nullable(),
    priority: z.number(),
    flags: z.array(z.string()).nullable(),
  }),
)
export type Jobs = z.output<typeof jobsSchema>
