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

/** Where finished clips and posters live. Keys look like `ab/<uuid>.mp4` and are made by us. */
export type VideoStorage = {
  /** A path on this machine for a file that is being written. */
  scratchPath(name: string): Promise<string>
  /**
   * Moves a finished file from its scratch path to `key`. When this resolves the bytes survive a
   * power cut; until then nothing is visible under the key.
   */
  commit(scratchPath: string, key: string): Promise<void>
  /** Where the file lies on this machine; null when it lies on another. */
  localPath(key: string): string | null
  /** The bytes, or a part of them. Throws FileMissing when nothing lies under the key. */
  open(key: string, part?: Part): Promise<Readable>
  /** Its size in bytes. Throws FileMissing when nothing lies under the key. */
  size(key: string): Promise<number>
  exists(key: string): Promise<boolean>
  /** Removing what is not there is fine. */
  remove(key: string): Promise<void>
  /** Removes scratch files that nobody has written to for so long: their writers are dead. */
  removeOldScratch(olderThanMs: number): Promise<void>
  /** Bytes that can still be written; null where no disk of ours is the limit. */
  freeBytes(): Promise<number | null>
}
