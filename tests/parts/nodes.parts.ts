import { execFile } from 'node:child_process'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { test, vi } from 'vitest'
import { copyProduct, envOf, installAndBuild } from './support/checkout'

vi.setConfig({ testTimeout: 1_800_000 })

const run = promisify(execFile)

// Each version of Node installs, builds and runs a copy of the product. The sample of tests loads
// the packages with native code, starts processes, hashes passwords, and draws and inspects clips.

/** The oldest supported version, and the newest of each LTS line on 22 November 2026. */
const VERSIONS = ['20.19.0', '22.23.3', '24.21.0', '26.10.0']
const SAMPLE = [
  'app',
  'tests/engine/lifecycle/stop-rendering.slow.test.ts',
  'tests/engine/faults/lost-orders.slow.test.ts',
  'tests/engine/lifecycle/progress.slow.test.ts',
  'tests/operations/stopping.slow.test.ts',
  'tests/storage/storage.test.ts',
  'tests/storage/away.slow.test.ts',
  'tests/start',
]

/**
 * Runs two files at once, with two retries. A test may exceed a time limit of the product on a busy
 * machine; a test that fails because of the version of Node fails every time.
 */
const VITEST = ['node_modules/vitest/vitest.mjs', 'run', '--maxWorkers=2', '--retry=2', ...SAMPLE]

/**
 * Returns the path of a Node program, which is installed from the registry, where each platform's
 * is an ordinary package. Returns undefined if it is not available.
 */
async function fetchNode(version: string): Promise<string | undefined> {
  const folder = path.join(os.tmpdir(), `reelmill-node-${version}`)
  const name = `node-${process.platform}-${process.arch}`
  const node = path.join(folder, 'node_modules', name, 'bin/node')
  const install = ['install', '--prefix', folder, '--no-save', '--ignore-scripts']
  const isThere = () =>
    run(node, ['--version']).then(
      ({ stdout }) => stdout.trim() === `v${version}`,
      () => false,
    )
  if (!(await isThere()))
    await run('npm', [...install, `${name}@${version}`]).catch(() => undefined)
  return (await isThere()) ? node : undefined
}

/** Runs the sample and returns the summary. If a test fails, rejects with the end of the output. */
async function runSample(node: string, folder: string): Promise<string> {
  const { stdout } = await run(node, VITEST, {
    cwd: folder,
    env: { ...envOf(node), NODE_ENV: 'test', CI: '1', NO_COLOR: '1' },
    maxBuffer: 64 * 1024 * 1024,
  }).catch((error: unknown) => {
    const { stdout, stderr } = error as { stdout: string; stderr: string }
    throw new Error(`${stdout.slice(-8_000)}\n${stderr.slice(-4_000)}`)
  })
  return stdout.slice(stdout.lastIndexOf('Test Files')).trim()
}

for (const version of VERSIONS) {
  test(`Node ${version} installs and builds the product and passes a sample of its tests`, async ({
    skip,
  }) => {
    const node = await fetchNode(version)
    if (node === undefined) {
      process.stdout.write(`Skipped: the registry has no Node ${version} for this machine.\n`)
      return skip()
    }
    const folder = await fs.mkdtemp(path.join(os.tmpdir(), `reelmill-on-${version}-`))
    try {
      await fs.chmod(folder, 0o755)
      await copyProduct(folder)
      await installAndBuild(folder, node)
      process.stdout.write(`Node ${version}: ${await runSample(node, folder)}\n`)
    } finally {
      await fs.rm(folder, { recursive: true, force: true })
    }
  })
}
