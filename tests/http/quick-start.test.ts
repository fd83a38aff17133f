import { execFile } from 'node:child_process'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect } from 'vitest'
import { readDocument } from '../docs/documents'
import { makeApiKey } from '../support/api-key'
import { findViolations } from '../support/invariants'
import { useSimulatedInstallation } from '../support/shared-installation'
import { readZipFile } from '../support/zip'
import { slowTest, test } from '../support/slow'

// Runs the programs of the quick start in docs/api.md as they are printed there.

const { product, simulator } = useSimulatedInstallation('openai', { worker: true })
const run = promisify(execFile)
const START = /^## Quick start$(.*?)^## /ms.exec(readDocument('docs/api.md'))?.[1] ?? ''
const blocks = [...START.matchAll(/^```(sh|js)\n(.*?)^```$/gms)]
const programIn = (language: string): string =>
  blocks.find(([, name, text]) => name === language && text?.includes('bulk-generate'))?.[2] ?? ''

let dir = ''
let env = process.env
beforeEach(async () => {
  dir = await fs.mkdtemp(path.join(os.tmpdir(), 'reelmill-quick-'))
  const key = await makeApiKey(
    await product.user({ plan: 'Enterprise', speed_limit: 2, video_limit: 100 }),
  )
  env = { ...process.env, REELMILL: product.url, REELMILL_KEY: key }
})
afterEach(() => fs.rm(dir, { recursive: true, force: true }))

const hasCurl = await run('curl', ['--version']).then(
  () => true,
  () => false,
)

test('the quick start with Node makes a batch, follows it and downloads its clips', async () => {
  await fs.writeFile(path.join(dir, 'boats.mjs'), programIn('js'))
  const { stdout } = await run(process.execPath, ['boats.mjs'], { cwd: dir, env })
  expect(stdout).toMatch(/^A red boat at dawn: \S+\.mp4$/m)
  expect(stdout).toMatch(/^A blue boat at dusk: \S+\.mp4$/m)
  for (const [, file = ''] of stdout.matchAll(/(\S+\.mp4)$/gm))
    expect((await fs.readFile(path.join(dir, file))).subarray(4, 8).toString()).toBe('ftyp')
  expect(await findViolations(product.db)).toEqual({})
})

slowTest.runIf(hasCurl)(
  'the quick start with curl does too, and orders nothing twice',
  async () => {
    const before = simulator.orders().length
    const program = ['--norc', '-c', programIn('sh')]
    for (const _again of [1, 2]) {
      await run('bash', program, { cwd: dir, env })
      const files = await readZipFile(await fs.readFile(path.join(dir, 'boats.zip')))
      const clips = [...files.keys()].filter((name) => name.endsWith('.mp4'))
      expect(clips.map((name) => name.slice(5))).toEqual([
        'a-red-boat-at-dawn.mp4',
        'a-blue-boat-at-dusk.mp4',
      ])
    }
    expect(simulator.orders()).toHaveLength(before + 2)
  },
)
