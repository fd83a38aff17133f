import fs from 'node:fs/promises'
import path from 'node:path'
import { build } from 'esbuild'
import { entryPoints } from '../../scripts/lib/programs.mjs'

/**
 * Bundles programs that run as child processes, for tests without a built product. Returns their
 * folder. It is inside the project, so that the bundles find their packages.
 */
export async function bundlePrograms(...names: (keyof typeof entryPoints)[]): Promise<string> {
  const cache = path.resolve('node_modules/.cache')
  await fs.mkdir(cache, { recursive: true })
  const folder = await fs.mkdtemp(path.join(cache, 'programs-'))
  await build({
    entryPoints: Object.fromEntries(names.map((name) => [name, entryPoints[name]])),
    outdir: folder,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    alias: { '~': path.resolve('app') },
    logLevel: 'silent',
  })
  return folder
}
