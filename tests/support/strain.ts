import { execFile, spawn, type ChildProcess } from 'node:child_process'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

type Stoppable = Pick<ChildProcess, 'kill'>

/** Stops processes with SIGSTOP. Returns a function that resumes them. */
export function freeze(processes: readonly Stoppable[]): () => void {
  for (const process of processes) process.kill('SIGSTOP')
  return () => {
    for (const process of processes) process.kill('SIGCONT')
  }
}

/**
 * Keeps the processors busy with `count` endless loops, each a process of normal priority. They end
 * with this process, however it ends.
 */
export function startBusyLoops(count: number): { stop: () => Promise<void> } {
  const program = `process.stdin.on('close', () => process.exit()).resume();
    const spin = () => { const until = Date.now() + 200; while (Date.now() < until); setImmediate(spin) };
    spin()`
  const loops = Array.from({ length: count }, () =>
    spawn(process.execPath, ['-e', program], { stdio: ['pipe', 'ignore', 'ignore'] }),
  )
  for (const { pid } of loops) if (pid !== undefined) setPriority(pid, 0)
  return {
    stop: async () => {
      await Promise.all(
        loops.map(async (loop) => {
          if (loop.exitCode !== null || loop.signalCode !== null) return
          const ended = new Promise((resolve) => loop.once('exit', resolve))
          loop.kill('SIGKILL')
          await ended
        }),
      )
    },
  }
}

/** Sets a process's priority if permitted: below 0 needs root. */
export function setPriority(pid: number, priority: number): void {
  try {
    os.setPriority(pid, priority)
  } catch {
    // Not permitted, or the process is gone. The priority helps but is not required.
  }
}

/** A disk in memory that can be made full at any time. */
export type SmallDisk = {
  dir: string
  /** Shrinks the disk until only `freeBytes` are free. */
  fill: (freeBytes?: number) => Promise<void>
  /** Restores the size of the disk. */
  empty: () => Promise<void>
  remove: () => Promise<void>
}

const ROOMY = '4g'
const PAGE = 4096

/** Mounts such a disk. Returns undefined if mounting is not permitted (it needs root on Linux). */
export async function mountSmallDisk(): Promise<SmallDisk | undefined> {
  const dir = await fs.mkdtemp(path.join(os.tmpdir(), 'reelmill-disk-'))
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${ROOMY},mode=755`, 'tmpfs', dir])
  } catch {
    await fs.rmdir(dir)
    return undefined
  }
  const resize = (size: string) => run('mount', ['-o', `remount,size=${size}`, dir])
  return {
    dir,
    fill: async (freeBytes = 0) => {
      const { blocks, bfree, bsize } = await fs.statfs(dir)
      const used = (blocks - bfree) * bsize
      await resize(String(Math.max(PAGE, used + freeBytes)))
    },
    empty: async () => {
      await resize(ROOMY)
    },
    remove: async () => {
      await run('umount', ['-l', dir])
      await fs.rmdir(dir)
    },
  }
}
