import { readFileSync, readlinkSync } from 'node:fs'
import os from 'node:os'
import type { WorkerProcess } from '~/domain/videos/engine/processes.server'
import { newId } from '~/lib/ids'

/**
 * This process, as the other workers know it. Its pid says something only to processes of the same
 * kernel and pid namespace; where a system does not name those, to nobody.
 */
export function describeProcess(id = newId()): WorkerProcess {
  return {
    id,
    host: os.hostname(),
    bootId: read(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')) ?? id,
    pidNamespace: read(() => readlinkSync('/proc/self/ns/pid')) ?? id,
    pid: process.pid,
  }
}

function read(look: () => string): string | undefined {
  try {
    return look().trim()
  } catch {
    return undefined
  }
}

/** Whether a process with this number runs, seen from here. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
