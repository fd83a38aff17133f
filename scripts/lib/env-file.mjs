import fs from 'node:fs/promises'
import path from 'node:path'
import { parseEnv } from 'node:util'
import { root } from './root.mjs'

/** Reads `.env` when there is one; what the environment already says wins. */
export async function loadEnvFile() {
  const text = await fs.readFile(path.join(root, '.env'), 'utf8').catch(() => '')
  for (const [name, value] of Object.entries(parseEnv(text))) process.env[name] ??= value
}
