import { z } from 'zod'

/** The format version. Raised when earlier archives can no longer be read. */
export const FORMAT = 1

export const HEADER = 'backup.json'
export const SECRETS = 'secrets.json'
export const TABLES = 'tables/'
export const JOBS = 'jobs.json'
export const CLIPS = 'clips/'

/** The first entry: what was saved, and by which version. */
export const headerSchema = z.object({
  format: z.number(),
  /** The time of the snapshot by the database's clock. Later changes are not in the backup. */
  takenAt: z.string(),
  /** The applied migrations, in order. */
  migrations: z.array(z.string()),
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()), rows: z.number() })),
  clips: z.number(),
})
export type Header = z.output<typeof headerSchema>

/** The settings without which the saved rows cannot be read. */
export const secretsSchema = z.object({ SESSION_SECRET: z.string(), ENCRYPTION_KEY: z.string() })

/** Waiting jobs, in the form that the queue's own function accepts. */
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
