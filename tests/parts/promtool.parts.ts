import { execFileSync, spawnSync } from 'node:child_process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../../scripts/lib/postgres.mjs'
import { startInstallation, type Installation } from '../support/installation'

const isInstalled = (() => {
  try {
    execFileSync('promtool', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()
if (!isInstalled)
  process.stdout.write('Skipped: no promtool on this machine (apt install prometheus).\n')

let product: Installation
let workerPort: number
beforeAll(async () => {
  if (!isInstalled) return
  workerPort = await freePort()
  product = await startInstallation({
    worker: true,
    env: { WORKER_METRICS_PORT: String(workerPort) },
  })
})
afterAll(async () => {
  if (isInstalled) await product.remove()
})

/** Runs promtool and returns what it objects to, or '' if it accepts the input. */
function objections(args: string[], input?: string): string {
  const { status, stdout, stderr } = spawnSync('promtool', args, { input, encoding: 'utf8' })
  return status === 0 ? stderr : stdout + stderr
}

test.runIf(isInstalled)('promtool accepts the metrics of web and worker', async () => {
  const user = await product.user()
  await user.post('/api/videos/generate', { prompt: 'A mill' })
  for (const base of [product.url, `http://127.0.0.1:${workerPort}`]) {
    const text = await (await fetch(`${base}/metrics`)).text()
    expect(text).toContain('reelmill_database_connections')
    expect(objections(['check', 'metrics'], text)).toBe('')
  }
})

test.runIf(isInstalled)('promtool accepts the rules for alerts', () => {
  expect(objections(['check', 'rules', 'docs/operations/alerts.yml'])).toBe('')
})
