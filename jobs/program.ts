import { boot, type Boot } from '~/boot/deps.server'
import { minutes } from '~/lib/time'
import { requireEnv } from '~/platform/env.server'

type Limits = { poolSize?: number; statementTimeoutMs?: number }

/**
 * Runs a program that is not a server: connects under a name, does the work and closes the
 * connections, also when the work fails. Throws what the work throws.
 */
export async function runProgram(
  name: string,
  work: (booted: Boot) => Promise<void>,
  { poolSize = 2, statementTimeoutMs = minutes(1) }: Limits = {},
): Promise<void> {
  const booted = boot({
    env: requireEnv(process.env),
    name,
    poolSize,
    statementTimeoutMs,
    buildDir: import.meta.dirname,
    connectTimeoutMs: 5000,
  })
  try {
    await work(booted)
  } finally {
    await booted.close()
  }
}

/** Prints a line for the person who runs the program. */
export const say = (text: string): void => void process.stdout.write(`${text}\n`)
