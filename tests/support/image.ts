import { execFile } from 'node:child_process'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'

const run = promisify(execFile)

export type Image = {
  dir: string
  /** Runs a script of the image and returns what it printed. Throws if it fails. */
  script: (args: string[], env?: Record<string, string>) => Promise<string>
  /** Returns the size of its packages on disk, in megabytes. */
  packagesMb: () => Promise<number>
  remove: () => Promise<void>
}

/**
 * Assembles what the Dockerfile copies into its last stage, from this checkout, in a folder from
 * which no package of the checkout can be resolved.
 */
export async function makeImage(): Promise<Image> {
  const dir = await fs.mkdtemp(path.join(os.tmpdir(), 'reelmill-image-'))
  for (const source of await copiedSources()) {
    if (source !== 'node_modules') await copy(source, dir)
  }
  await Promise.all((await productionPackages()).map((name) => copy(name, dir)))
  return {
    dir,
    script: async (args, env = {}) => {
      const { PATH = '' } = process.env
      const { stdout } = await run(process.execPath, args, {
        cwd: dir,
        env: { NODE_ENV: 'production', PATH, ...env },
      })
      return stdout
    },
    packagesMb: async () => {
      const { stdout } = await run('du', ['-sm', path.join(dir, 'node_modules')])
      return Number(stdout.split('\t')[0])
    },
    remove: () => fs.rm(dir, { recursive: true, force: true }),
  }
}

const lock = z.object({ packages: z.record(z.object({ dev: z.boolean().optional() })) })

async function copiedSources(): Promise<string[]> {
  const stages = (await fs.readFile('Dockerfile', 'utf8')).split(/^FROM /m)
  const copies = [...(stages.at(-1) ?? '').matchAll(/^COPY (?:--\S+ )*(.+) \S+$/gm)]
  return copies.flatMap(([, sources = '']) =>
    sources.split(' ').map((source) => source.replace('/srv/reelmill/', '')),
  )
}

/** Returns what `npm ci --omit=dev` installs on this machine. */
async function productionPackages(): Promise<string[]> {
  const { packages } = lock.parse(JSON.parse(await fs.readFile('package-lock.json', 'utf8')))
  const names = Object.keys(packages).filter(
    (name) => /^node_modules\/(@[^/]+\/)?[^/]+$/.test(name) && packages[name]?.dev !== true,
  )
  const there = await Promise.all(
    names.map((name) =>
      fs.stat(name).then(
        () => true,
        () => false,
      ),
    ),
  )
  return names.filter((_, index) => there[index])
}

/** Copies with hard links where possible. Files of the copy may be deleted, but never changed. */
async function copy(source: string, dir: string): Promise<void> {
  const target = path.join(dir, path.dirname(source))
  await fs.mkdir(target, { recursive: true })
  await run('cp', ['-al', source, target]).catch(() => run('cp', ['-a', source, target]))
}
