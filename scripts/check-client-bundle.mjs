// Checks that browsers receive only our pages and the libraries they use, and no server code.
import path from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { root } from './lib/root.mjs'

const SERVER_ONLY =
  /node_modules\/(@prisma|prisma|pg|pg-pool|graphile-worker|express|remix-auth|remix-auth-form|pino|@node-rs|@napi-rs|undici)\//
const OUTSIDE = /^(jobs|scripts|prisma|tests|server\.ts)/
const MOST_OF_OURS_BYTES = 60 * 1024

/**
 * Returns the plugin. The build of the browser's files fails if they include server code, or if one
 * route has more than 60 kB (gzip) of its own.
 *
 * @returns {import('vite').Plugin}
 */
export const checkClientBundle = () => ({
  name: 'check-client-bundle',
  apply: (_config, { isSsrBuild }) => !isSsrBuild,
  async generateBundle(_options, bundle) {
    const problems = []
    for (const file of Object.values(bundle)) {
      if (file.type !== 'chunk') continue
      for (const id of file.moduleIds) {
        const name = path.relative(root, id)
        if (SERVER_ONLY.test(name)) problems.push(`${file.fileName} contains ${name}`)
        if (OUTSIDE.test(name))
          problems.push(`${file.fileName} contains ${name}, which is outside app/`)
      }
      if (!file.facadeModuleId?.includes('/app/routes/')) continue
      const { length } = await promisify(gzip)(file.code)
      if (length > MOST_OF_OURS_BYTES)
        problems.push(`${file.fileName} is ${length} bytes compressed`)
    }
    if (problems.length > 0)
      this.error(`The browser's bundle is not clean:\n  ${problems.join('\n  ')}`)
  },
})
