import { z } from 'zod'
import type { Settings } from '../settings'

const text = z.string().trim().min(1).optional().catch(undefined)

const ADDRESS = 'S3_ENDPOINT must be an address that starts with https:// or http://'

const shape = z.object({
  STORAGE: z
    .enum(['file', 's3'], { errorMap: () => ({ message: 'STORAGE must be file or s3' }) })
    .default('file'),
  S3_ENDPOINT: z
    .string()
    .trim()
    .refine((value) => /^https?:\/\//.test(value) && URL.canParse(value), ADDRESS)
    .optional(),
  S3_BUCKET: text,
  S3_REGION: text.transform((region) => region ?? 'us-east-1'),
  S3_ACCESS_KEY_ID: text,
  S3_SECRET_ACCESS_KEY: text,
  S3_FORCE_PATH_STYLE: z
    .enum(['true', 'false'], {
      errorMap: () => ({ message: 'S3_FORCE_PATH_STYLE must be true or false' }),
    })
    .default('false'),
})

export type StorageEnv = z.output<typeof shape>

type StorageEnvResult = { ok: true; env: StorageEnv } | { ok: false; problems: string[] }

/** Reads the settings of the clip storage. Returns them, or a list of all problems in words. */
export function readStorageEnv(given: Settings): StorageEnvResult {
  const result = shape.safeParse(given)
  const problems = result.success ? [] : result.error.issues.map(({ message }) => message)
  if (given.STORAGE === 's3') {
    const needed = ['S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY']
    problems.push(
      ...needed
        .filter((name) => (given[name] ?? '').trim() === '')
        .map((name) => `${name} is required for STORAGE=s3`),
    )
  }
  if (problems.length > 0 || !result.success) return { ok: false, problems }
  return { ok: true, env: result.data }
}
