import { z } from 'zod'
import { address, oneOf, problemsIn, text } from '../setting-fields'
import type { Settings } from '../settings'

const shape = z.object({
  STORAGE: oneOf('file', 's3').default('file'),
  S3_ENDPOINT: address('https:', 'http:').optional(),
  S3_BUCKET: text,
  S3_REGION: text.transform((region) => region ?? 'us-east-1'),
  S3_ACCESS_KEY_ID: text,
  S3_SECRET_ACCESS_KEY: text,
  S3_FORCE_PATH_STYLE: oneOf('true', 'false').default('false'),
})

export type StorageEnv = z.output<typeof shape>

type StorageEnvResult = { ok: true; env: StorageEnv } | { ok: false; problems: string[] }

/** Reads the settings of the clip storage. Returns them, or a list of all problems in words. */
export function readStorageEnv(given: Settings): StorageEnvResult {
  const result = shape.safeParse(given)
  const problems = result.success ? [] : problemsIn(result.error)
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
