import fs from 'node:fs/promises'
import path from 'node:path'
import { build } from 'esbuild'

/**
 * Bundles files of `jobs` that run as child processes, for tests without a built product. Returns
 * their folder. It is inside the project, so that the bundles find their packages.
 */
export async function bundleJobs(...names: string[]): Promise<string> {
  const cache = path.resolve('node_modules/.cache')
  await fs.mkdir(cache, { recursive: true })
  const folder = await fs.mkdtemp(path.join(cache, 'jobs-'))
  await build({
    entryPoints: names.map((name) => `jobs/${name}.ts`),
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
