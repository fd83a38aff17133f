import { isDiskFull } from '~/lib/error-facts'
import { StorageUnavailable } from '~/platform/storage/port'
import type { Deps } from '../../context'
import type { StorageTrouble } from '../types'

/** Returns the storage problem that an error indicates, or undefined if it indicates none. */
export function storageTrouble(error: unknown): StorageTrouble | undefined {
  if (error instanceof StorageUnavailable) return 'storage'
  return isDiskFull(error) ? 'space' : undefined
}

/**
 * Returns why a clip cannot be stored now, as far as can be determined without storing one, or
 * undefined. A storage that cannot report its free space is assumed to have room. On a disk, the
 * reserve must stay free (reliability rule R13).
 */
export async function findStorageTrouble({
  storage,
  settings: { reserveBytes },
  log,
}: Pick<Deps, 'storage' | 'settings' | 'log'>): Promise<StorageTrouble | undefined> {
  try {
    const free = await storage.freeBytes()
    return free === null || free >= reserveBytes ? undefined : 'space'
  } catch (error) {
    log.warn({ err: error }, 'could not read the free space of the storage')
    return 'storage'
  }
}
