import fs from 'node:fs/promises'
import path from 'node:path'
import { parseEnv } from 'node:util'
import { root } from './root.mjs'

/**
 * Reads `.env` of the checkout if it exists, or the file named by ENV_FILE, which must exist.
 * Variables that are already set take precedence. Every command of package.json that needs settings
 * calls this first, in its script or through read-env.mjs.
 */
export async function loadEnvFile() {
  const named = process.env.ENV_FILE
  const file = named ?? path.join(root, '.env')
  const text = await fs.readFile(file, 'utf8').catch((error) => {
    if (named === undefined && error.code === 'ENOENT') return ''
    process.stderr.write(`The settings in ${file} cannot be read (${error.code}).\n`)
    process.exit(1)
  })
  for (const [name, value] of Object.entries(parseEnv(text))) process.env[name] ??= value
}
