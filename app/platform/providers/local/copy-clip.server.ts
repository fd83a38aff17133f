import fs from 'node:fs/promises'
import { abortable } from '~/lib/abortable'
import { messageOf } from '~/lib/error-facts'
import { runningTimeout } from '~/lib/running-time'
import { ProviderError, type Fault, type FetchInto } from '../port'
import { orMissing } from './order-folder.server'

const PIECE_BYTES = 256 * 1024

/**
 * Copies a clip on this machine and continues after bytes of the same clip that have been copied
 * before. Returns the number of bytes. Throws ProviderError, or the target's own error unchanged.
 */
export async function copyClip(path: string, into: FetchInto): Promise<number> {
  const source = await orMissing(fs.open(path, 'r'), null).catch(failed)
  if (source === null) throw refusal({ kind: 'permanent', reason: 'asset-gone' }, 'no such clip')
  try {
    const { size, mtimeMs } = await source.stat().catch(failed)
    if (size > into.maxBytes) {
      const words = `the clip is larger than ${into.maxBytes} bytes`
      throw refusal({ kind: 'permanent', reason: 'broken-clip' }, words)
    }
    // A clip appears complete and never changes.
    const version = `${size}-${mtimeMs}`
    const { file } = into
    if (file.version() !== version) await file.restart(version)
    const buffer = Buffer.alloc(PIECE_BYTES)
    while (file.bytes() < size) await inTime(() => copyPiece(source, buffer, into), into)
    return file.bytes()
  } finally {
    await source.close()
  }
}

async function copyPiece(
  source: fs.FileHandle,
  buffer: Buffer,
  { file }: FetchInto,
): Promise<void> {
  const { bytesRead } = await source.read(buffer, 0, buffer.length, file.bytes()).catch(failed)
  if (bytesRead === 0) throw refusal({ kind: 'transient' }, 'the clip ended early')
  await file.write(buffer.subarray(0, bytesRead))
}

function inTime(copy: () => Promise<void>, { idleMs, signal }: FetchInto): Promise<void> {
  return abortable(copy, AbortSignal.any([signal, runningTimeout(idleMs)]), () =>
    refusal({ kind: 'transient' }, signal.aborted ? 'the copy was given up' : 'no progress'),
  )
}

function failed(error: unknown): never {
  throw refusal({ kind: 'transient' }, messageOf(error))
}

const refusal = (fault: Fault, message: string): ProviderError =>
  new ProviderError(fault, 'accepted', { message })
