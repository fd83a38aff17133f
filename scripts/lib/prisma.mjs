import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { StartError } from './data-dir.mjs'

/** Begins the line in which prisma.config.ts reports why a script failed. */
export const REASON = 'Reason: '

const cli = createRequire(import.meta.url).resolve('prisma/build/index.js')

/**
 * Runs the Prisma command line, passing its output through, and resolves to its exit code. The schema
 * engine named here is never started; naming one prevents Prisma from downloading it.
 *
 * With `doneWhen` the process is ended as soon as its output matches: `migrate deploy` finishes in 0.2 s
 * but then stays alive for ten seconds because of a leftover timer.
 *
 * With `quiet`, the output is shown only after a failure, and of it only the messages.
 *
 * @param {string[]} args
 * @param {{ env?: Record<string, string>, doneWhen?: RegExp, quiet?: boolean }} [options]
 * @returns {Promise<number>}
 */
export function prisma(args, { env = {}, doneWhen, quiet = false } = {}) {
  const child = spawn(process.execPath, [cli, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      // Without an address the command line looks for an engine, for any command.
      DATABASE_URL: 'postgresql://localhost/none',
      ...process.env,
      ...env,
      PRISMA_SCHEMA_ENGINE_BINARY: '/bin/true',
      PRISMA_HIDE_UPDATE_MESSAGE: '1',
      CHECKPOINT_DISABLE: '1',
    },
  })
  let printed = ''
  let done = false
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      printed += chunk
      if (!quiet) process.stdout.write(chunk)
      if (!doneWhen?.test(printed)) return
      done = true
      child.kill()
    })
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      if (quiet && code && !done) process.stderr.write(messagesIn(printed))
      resolve(done ? 0 : (code ?? 1))
    })
  })
}

/**
 * Returns what Prisma printed about a failure, without its stack traces.
 *
 * @param {string} printed
 */
function messagesIn(printed) {
  const lines = printed.split('\n')
  const reason = lines.find((line) => line.startsWith(REASON))?.slice(REASON.length)
  const migration = /migration_name="(\w+)"/.exec(printed)?.[1]
  if (reason !== undefined) return `${migration ?? 'A script'}: ${reason}\n`
  const start = Math.max(
    0,
    lines.findIndex((line) => line.startsWith('Error')),
  )
  const isTrace = (/** @type {string} */ line) => /^ +(\d+: |with |at )/.test(line)
  return lines
    .slice(start)
    .filter((line) => !isTrace(line))
    .join('\n')
}

/**
 * Applies the migrations that a database lacks. After a failure prints why, and throws StartError.
 *
 * @param {string} url @param {string[]} [args]
 */
export async function deployMigrations(url, args = []) {
  const code = await prisma(['migrate', 'deploy', ...args], {
    env: { DATABASE_URL: url },
    doneWhen: /successfully applied\.|No pending migrations/,
    quiet: true,
  })
  if (code !== 0) throw new StartError('The database could not be migrated: see the lines above.')
}

/**
 * Notes that a database has what a migration makes, without running it. Throws StartError.
 *
 * @param {string} url @param {string} name
 */
export async function noteMigration(url, name) {
  const code = await prisma(['migrate', 'resolve', '--applied', name], {
    env: { DATABASE_URL: url },
    doneWhen: /marked as applied\./,
    quiet: true,
  })
  if (code !== 0) throw new StartError('The database could not be migrated: see the lines above.')
}
