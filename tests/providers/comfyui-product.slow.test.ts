import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { PATIENCE_MS } from '../support/engine/trials'
import { expectEachOnce, orderBulk, PROMPTS, SCALE, startKilledBulk } from './bulk'
import { openPage } from '../support/page'
import { attemptsOf, orderVideo, startScene } from '../support/scene'
import { until } from '../support/wait'

vi.setConfig({ testTimeout: PATIENCE_MS })

test('issue 52: comfyui: a bulk of 100: 100 delivered, 100 orders', async () => {
  const scene = await startScene({ flavour: 'comfyui', env: SCALE })
  await scene.product.startWorker()
  await orderBulk(scene)
  await expectEachOnce(scene)
})

test('issue 52: comfyui: a bulk of 100 whose worker is killed one second after: 100 delivered, 100 orders', async () => {
  const scene = await startKilledBulk('comfyui')
  await expectEachOnce(scene)
})

test.each([false, true])(
  'issue 52: comfyui: two answers of a bulk are lost, and a worker dies with a third one (the server chooses ids: %s): each prompt is ordered once',
  async (ownIds) => {
    const lost = (nth: number, fault: 'drop-after-accept' | 'half-json') => ({
      when: { op: 'submit' as const, nth },
      do: { fault },
    })
    const rules = [lost(5, 'drop-after-accept'), lost(8, 'half-json')]
    const scene = await startScene({
      flavour: 'comfyui',
      scenario: { rules, strange: { ownIds } },
      env: SCALE,
    })
    const doomed = await scene.startDoomed(`before:state = 'submitted', ref`)
    // Such a server is looked through only as far as its last ten orders.
    const prompts = ownIds ? PROMPTS.slice(0, 9) : PROMPTS
    await orderBulk(scene, prompts)
    expect(await doomed.ended).toBeNull()
    await until(
      'an order that the product does not know',
      () => scene.sim.stats().ordersAccepted > 0,
    )
    await scene.product.startWorker()
    await expectEachOnce(scene, prompts)
    const states = (await attemptsOf(scene.product)).map(({ state }) => state)
    expect(states.filter((state) => state !== 'done' && state !== 'abandoned')).toEqual([])
  },
)

test('issue 52: comfyui: a node that the server does not know is named in the log and on Set-up, and nothing is ordered', async () => {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'reelmill-workflow-'))
  onTestFinished(() => fs.rm(folder, { recursive: true }))
  const COMFYUI_WORKFLOW = path.join(folder, 'workflow.json')
  const given = await fs.readFile('tests/simulator/comfyui-workflow.json', 'utf8')
  await fs.writeFile(COMFYUI_WORKFLOW, given.replace('"SaveVideo"', '"VHS_VideoCombine"'))
  const scene = await startScene({ flavour: 'comfyui', env: { ...SCALE, COMFYUI_WORKFLOW } })
  const sentence = 'ComfyUI does not know the node VHS_VideoCombine: install its package there'
  const worker = await scene.product.startWorker()
  await until('the sentence in the log', () => worker.output().includes(sentence))
  const admin = await scene.user({ role: 'admin' })
  const shown = async () => (await openPage(admin, '/admin/setup')).text
  expect(await shown()).toContain(`Provider comfyui To do ${sentence}`)
  await orderVideo(await scene.user(), 'A kite that waits')
  await until('a refused order', async () =>
    (await attemptsOf(scene.product)).some(({ state }) => state === 'abandoned'),
  )
  expect(scene.sim.accepted()).toEqual([])
  // The operator mends the server's lack by another workflow, and starts again.
  await fs.writeFile(COMFYUI_WORKFLOW, given)
  await worker.stop()
  await scene.product.startWorker()
  await scene.allAreDelivered()
  await scene.sim.down()
  expect(await shown()).toContain('Provider comfyui To do ComfyUI does not answer at 127.0.0.1')
})
