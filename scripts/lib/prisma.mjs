import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'

const cli = createRequire(import.meta.url).resolve('prisma/build/index.js')

/**
 * Runs the Prisma command line, passing its output through, and resolves to its exit code. The schema
 * engine named here is never started; naming one prevents Prisma from downloading it.
 *
 * With `doneWhen` the process is ended as soon as its output matches: `migrate deploy` finishes in 0.2 s
 * but then stays alive for ten seconds because of a leftover timer.
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
      if (quiet && code && !done) process.stderr.write(printed)
      resolve(done ? 0 : (code ?? 1))
    })
  })
}
