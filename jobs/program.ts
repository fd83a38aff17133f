import { boot, type Boot } from '~/boot/deps.server'
import { minutes } from '~/lib/time'
import { connectionProblem } from '~/platform/db/connection-problem'
import { isDatabaseUnavailable } from '~/platform/db/unavailable'
import { requireEnv } from '~/platform/env.server'

type Limits = { poolSize?: number; statementTimeoutMs?: number }

/**
 * Runs a program that is not a server: connects under a name, does the work and closes the
 * connections, also when the work fails. If the database cannot be used, or is lost, prints why and
 * sets the exit code to 1. Throws what else the work throws.
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
  const refuse = (problem: string) => {
    process.stderr.write(`${problem}\n`)
    process.exitCode = 1
  }
  try {
    const problem = await booted.databaseProblem()
    if (problem === null) await work(booted)
    else refuse(problem)
  } catch (error) {
    if (!isDatabaseUnavailable(error)) throw error
    refuse(`${connectionProblem(error)} The same command can be run again.`)
  } finally {
    await booted.close()
  }
}

/** Prints a line for the person who runs the program. */
export const say = (text: string): void => void process.stdout.write(`${text}\n`)
