import path from 'node:path'
import { diskStorage } from './disk.server'
import type { VideoStorage } from './port'
import { s3Storage } from './s3.server'
import type { StorageEnv } from './settings.server'

/** Creates the storage that the settings select. Connects on first use. */
export function createStorage(
  env: StorageEnv & { DATA_DIR: string },
): VideoStorage & { stop?(): Promise<void> } {
  const root = path.join(env.DATA_DIR, 'videos')
  switch (env.STORAGE) {
    case 'file':
      return diskStorage(root)
    case 's3':
      return s3Storage({
        endpoint: env.S3_ENDPOINT,
        bucket: env.S3_BUCKET ?? '',
        region: env.S3_REGION,
        accessKeyId: env.S3_ACCESS_KEY_ID ?? '',
        secretAccessKey: env.S3_SECRET_ACCESS_KEY ?? '',
        forcePathStyle: env.S3_FORCE_PATH_STYLE === 'true',
        scratchRoot: root,
      })
  }
}
