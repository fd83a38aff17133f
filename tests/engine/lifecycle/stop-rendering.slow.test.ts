import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { PATIENCE_MS } from '../../support/engine/trials'
import { startInstallation } from '../../support/installation'
import { findViolations } from '../../support/invariants'
import { numbered } from '../../support/scene'
import { until } from '../../support/wait'

vi.setConfig({ testTimeout: PATIENCE_MS })

/** The number of renderers that the product starts on this machine. */
const RENDERERS = Math.max(1, Math.floor(os.availableParallelism() / 2))

test('U-BULK-11: Stop ends videos that have not begun rendering, including those that the built-in renderer has queued', async () => {
  const product = await startInstallation()
  onTestFinished(product.remove)
  const user = await product.user({ video_limit: 1_000, speed_limit: 50 })
  const prompts = numbered('kite', 4 * RENDERERS)
  const { body } = await user.post<{ batchId: string }>('/api/videos/bulk-generate', { prompts })
  await product.startWorker()
  // All renderers are busy: some orders are being rendered, the others wait in its queue.
  await until('all renderers to be busy', async () => {
    const { rows } = await product.db.query(`select 1 from attempts where state = 'submitted'`)
    return rows.length > RENDERERS && (await begun(product.dataDir)) >= RENDERERS
  })
  const before = await begun(product.dataDir)
  expect((await user.post(`/api/batches/${body.batchId}/cancel`)).status).toBe(200)
  await until('all videos to end', async () => {
    const { rows } = await product.db.query(
      `select 1 from videos where status in ('pending', 'generating')`,
    )
    return rows.length === 0
  })
  const { rows } = await product.db.query<{ status: string; code: string | null; n: number }>(
    `select status::text, error_code as code, count(*)::int as n from videos group by 1, 2`,
  )
  const completed = rows.find(({ status }) => status === 'completed')?.n ?? 0
  expect(rows.filter(({ status }) => status !== 'completed')).toEqual([
    { status: 'error', code: 'cancelled', n: prompts.length - completed },
  ])
  // Another rendering may have begun on each renderer while the call was under way.
  expect(completed).toBeLessThanOrEqual(before + RENDERERS)
  expect(completed).toBeLessThan(2 * RENDERERS + 1)
  expect(await findViolations(product.db)).toEqual({})
})

/** Returns how many orders are being rendered or have been. */
async function begun(dataDir: string): Promise<number> {
  const files = await fs.readdir(path.join(dataDir, 'renders'), { recursive: true })
  return files.filter((file) => /(progress\.json|clip\.mp4)$/.test(file)).length
}
