import type { Readable } from 'node:stream'

/** From the first to the last byte, both included, counted from 0. */
export type Part = { first: number; last: number }

/** Nothing lies under a key. */
export class FileMissing extends Error {
  constructor(readonly key: string) {
    super(`no file lies under ${key}`)
    this.name = 'FileMissing'
  }
}

/**
 * The storage cannot be reached, does not answer in time or refuses us, and nothing is known to be
 * wrong with what it was asked: the same is worth asking again later. A full disk is none of these.
 */
export class StorageUnavailable extends Error {
  // Without a cause: its codes are those of a database that is away, too.
  constructor(readonly what: string) {
    super(`the storage is away: ${what}`)
    this.name = 'StorageUnavailable'
  }
}

/**
 * Where finished clips and posters live. Keys look like `ab/<uuid>.mp4` and are made by us. Every call
 * may throw StorageUnavailable, within seconds; those that move bytes, when none have moved for a while.
 */
export type VideoStorage = {
  /** A path on this machine for a file that is being written. */
  scratchPath(name: string): Promise<string>
  /**
   * Moves a finished file from its scratch path to `key`. When this resolves the bytes survive a
   * power cut; until then nothing is visible under the key. After an error the scratch file is still
   * there, and the same can be asked again.
   */
  commit(scratchPath: string, key: string): Promise<void>
  /** Where the file lies on this machine; null when it lies on another. */
  localPath(key: string): string | null
  /** The bytes, or a part of them. Throws FileMissing when nothing lies under the key. */
  open(key: string, part?: Part): Promise<Readable>
  /** Its size in bytes. Throws FileMissing when nothing lies under the key. */
  size(key: string): Promise<number>
  /** Removing what is not there is fine. */
  remove(key: string): Promise<void>
  /** Removes scratch files that nobody has written to for so long, except those that are wanted. */
  removeOldScratch(
    olderThanMs: number,
    isWanted: (name: string) => boolean | Promise<boolean>,
  ): Promise<void>
  /** Resolves when the storage answers at all. */
  check(): Promise<void>
  /** Bytes that can still be written; null where no disk of ours is the limit. */
  freeBytes(): Promise<number | null>
}
