// Checks that browsers receive only our pages and the libraries they use, and no server code.
import fs from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { NEXT } from './lib/next-build.mjs'
import { root } from './lib/root.mjs'

const SERVER_ONLY =
  /node_modules\/(@prisma|prisma|pg|pg-pool|graphile-worker|express|remix-auth|remix-auth-form|pino|@node-rs|@napi-rs|undici)\//
const MOST_OF_OURS_BYTES = 60 * 1024

/**
 * Reads the compiler's report on the browser's files. Throws if it includes server code, or if one
 * route has more than 60 kB (gzip) of its own.
 */
export async function checkClientBundle() {
  const metafile = JSON.parse(await fs.readFile(path.join(NEXT, 'metafile.js.json'), 'utf8'))
  const problems = []
  for (const [output, { inputs, entryPoint }] of Object.entries(metafile.outputs)) {
    if (!output.endsWith('.js')) continue
    for (const input of Object.keys(inputs)) {
      const plain = input.replace(/^[\w-]+:/, '').replace(/\?.*$/, '')
      if (SERVER_ONLY.test(plain)) problems.push(`${output} contains ${input}`)
      const isOurs = !plain.includes('node_modules/')
      if (isOurs && /^(jobs|scripts|prisma|tests|server\.ts)/.test(plain)) {
        problems.push(`${output} contains ${input}, which is outside app/`)
      }
    }
    if (!entryPoint?.includes('routes/')) continue
    const { length } = await promisify(gzip)(await fs.readFile(path.resolve(root, output)))
    if (length > MOST_OF_OURS_BYTES) problems.push(`${output} is ${length} bytes compressed`)
  }
  if (problems.length > 0) {
    throw new Error(`The browser's bundle is not clean:\n  ${problems.join('\n  ')}`)
  }
}
