import { readFileSync, readlinkSync } from 'node:fs'
import os from 'node:os'
import type { WorkerProcess } from '~/domain/videos/engine/processes.server'
import { codeOf } from '~/lib/error-facts'
import { newId } from '~/lib/ids'

/**
 * Describes this process for the other workers. Its pid is meaningful only to processes of the same
 * kernel and pid namespace. On systems that do not expose those it is meaningful to no other
 * process.
 */
export function describeProcess(): WorkerProcess {
  const id = newId()
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

/** Returns whether a process with this pid is running on this machine. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}
