import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startInstallation, type Installation } from '../support/installation'
import { startWeb } from '../support/processes'
import { buildCopy, copyProduct, lendPackages } from './support/checkout'

vi.setConfig({ testTimeout: 540_000, hookTimeout: 540_000 })

// A new version is built in the folder of a running one, as on a machine without containers.

const CHANGED = 'app/entry.client.tsx'
const PROGRAMS = [
  'server.js',
  'worker.js',
  'server/index.js',
  'render-clip.js',
  'inspect-clip.js',
  'join-clips.js',
]

let folder: string
let product: Installation
beforeAll(async () => {
  folder = await fs.mkdtemp(path.join(os.tmpdir(), 'reelmill-build-'))
  await copyProduct(folder)
  await lendPackages(folder)
  await buildCopy(folder)
  product = await startInstallation({ build: path.join(folder, 'build') })
})
afterAll(async () => {
  await product.remove()
  await fs.rm(folder, { recursive: true, force: true })
})

/** Returns the addresses of all scripts, stylesheets and fonts. */
async function files(): Promise<string[]> {
  const dir = path.join(folder, 'public/build')
  const entries = await fs.readdir(dir, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() && !/^\.|\.(map|br|gz)$/.test(entry.name))
    .map((entry) => `/build/${path.relative(dir, path.join(entry.parentPath, entry.name))}`)
}

/** Returns the size of a file in bytes, or 0 if the server does not have it. */
async function fetchFile(url: URL): Promise<number> {
  const response = await fetch(url, { headers: { 'Accept-Encoding': 'br' } })
  const { byteLength } = await response.arrayBuffer()
  return response.ok ? byteLength : 0
}

/** Returns those of `paths` that a browser cannot fetch, and the programs that are missing. */
async function missing(url: string, paths: string[]): Promise<string[]> {
  const found: string[] = []
  for (const file of paths) {
    const bytes = await fetchFile(new URL(file, url)).catch(() => 0)
    if (bytes === 0) found.push(file)
  }
  for (const name of PROGRAMS)
    await fs.access(path.join(folder, 'build', name)).catch(() => found.push(name))
  return found
}

/** Starts a web server of the current build, and signs a user in. */
async function startNext() {
  const user = await product.user()
  const { DATABASE_URL = '' } = product.env
  const build = path.join(folder, 'build')
  const fresh = await startWeb({ ...product.env, DATABASE_URL }, { build })
  return { user, fresh }
}

test('a build beside a running server: pages loaded before it can fetch all their files, during and after it', async () => {
  const before = await files()
  expect(before.filter((file) => /gallery-dialogs|tailwind/.test(file))).toHaveLength(2)
  await fs.appendFile(path.join(folder, CHANGED), '\nwindow.name ||= "changed"\n')
  const gone = new Set<string>()
  const end = new AbortController()
  const built = buildCopy(folder).finally(() => end.abort())
  while (!end.signal.aborted) for (const file of await missing(product.url, before)) gone.add(file)
  await built
  expect([...gone]).toEqual([])

  const after = await files()
  expect(after.length).toBeGreaterThan(before.length)
  const { user, fresh } = await startNext()
  try {
    // Pages of the new version may also send requests to the server of the old one.
    for (const url of [product.url, fresh.url]) expect(await missing(url, after)).toEqual([])
    const headers = { cookie: user.cookieHeader }
    const page = await (await fetch(`${fresh.url}/app`, { headers })).text()
    const named = [...page.matchAll(/"(\/build\/[^"#]+)/g)].map(([, file]) => file!)
    expect(named.filter((file) => !after.includes(file))).toEqual([])
    expect(named.some((file) => !before.includes(file))).toBe(true)
  } finally {
    await fresh.stop()
  }
})
