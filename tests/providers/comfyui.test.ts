import fs from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { graphOf, readWorkflow } from '../../app/platform/providers/comfyui/workflow.server'
import { readProviderEnv } from '../../app/platform/providers/settings.server'
import type { ScenarioInput } from '../simulator/scenario'
import { GENERATION_MS, memoryClip, openRig, refusalOf, REQUEST, type Rig } from './rig'

// What the adapter of ComfyUI promises beyond the port and the corpus.

let rig: Rig

const open = async (options: Parameters<typeof openRig>[1] = {}): Promise<Rig> => {
  const opened = await openRig('comfyui', options)
  onTestFinished(opened.stop)
  return opened
}

const GIVEN = path.resolve('tests/simulator/comfyui-workflow.json')
type Graph = Record<string, { class_type: string; inputs: Record<string, unknown> }>
const given = (): Graph => JSON.parse(fs.readFileSync(GIVEN, 'utf8')) as Graph

/** Writes a file that ends with the test, and returns its path. */
function fileOf(content: unknown): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'reelmill-workflow-'))
  onTestFinished(() => fs.rmSync(folder, { recursive: true }))
  const file = path.join(folder, 'workflow.json')
  fs.writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  return file
}

const without = (node: string, input: string, value: unknown = 'fixed'): Graph => {
  const graph = given()
  graph[node]!.inputs[input] = value
  return graph
}

describe('the workflow', () => {
  const values = {
    prompt: 'say "{{seed}}", \\ and\n{"inputs": {}}',
    negative: 'rain',
    picture: 'p.jpg',
    width: 720,
    height: 1280,
    seconds: 4,
    frames: 65,
    seed: 7,
  }

  test('issue 52: values are put into the parsed file: no prompt changes its form, and numbers are numbers', () => {
    const graph = without('58', 'filename_prefix', 'v/{{ seed }}-{{width}}')
    // Lists and objects may have placeholders as well.
    graph['3']!.inputs.list = ['{{seed}}', { deep: '{{prompt}}!' }]
    const { workflow, problems } = readWorkflow('COMFYUI_WORKFLOW', fileOf(graph))
    expect(problems).toEqual([])
    const filled = graphOf(workflow!, values) as Graph
    expect(Object.keys(filled)).toEqual(Object.keys(given()))
    expect(filled['6']!.inputs).toEqual({ text: values.prompt, clip: ['38', 0] })
    expect(filled['55']!.inputs).toMatchObject({ width: 720, height: 1280, length: 65 })
    expect(filled['3']!.inputs).toMatchObject({ seed: 7, list: [7, { deep: `${values.prompt}!` }] })
    expect(filled['58']!.inputs.filename_prefix).toBe('v/7-720')
    expect(filled['3']!.inputs.latent_image).toEqual(['55', 0])
  })

  const problems = (content: unknown, more: Record<string, string> = {}) => {
    const read = readProviderEnv({
      VIDEO_PROVIDER: 'comfyui',
      VIDEO_PROVIDER_URL: 'http://127.0.0.1:8188',
      COMFYUI_WORKFLOW: fileOf(content),
      ...more,
    })
    return read.ok ? [] : read.problems
  }

  test('issue 52: each bad setting is said at the start by name, with what to do', () => {
    expect(problems(given())).toEqual([])
    expect(problems(given(), { COMFYUI_WORKFLOW: '/no/such.json' })).toEqual([
      expect.stringMatching(/^COMFYUI_WORKFLOW cannot be read \(ENOENT.*name a file/),
    ])
    expect(problems('{"6": ')).toEqual([
      'COMFYUI_WORKFLOW is not JSON: export it in ComfyUI with Workflow, Export (API)',
    ])
    const editor = { nodes: [{ id: 6, type: 'KSampler' }], links: [], version: 0.4 }
    for (const other of [editor, [], {}, 'null', { 6: { class_type: 'KSampler' } }]) {
      expect(problems(other)).toEqual([
        'COMFYUI_WORKFLOW is not in the format of the API: export it in ComfyUI with Workflow, Export (API)',
      ])
    }
    expect(problems(without('6', 'text'))).toEqual([
      'COMFYUI_WORKFLOW has no {{prompt}}: write it in place of that value, or every video gets the same',
    ])
    expect(problems(without('55', 'height', 1280))).toEqual([
      expect.stringContaining('COMFYUI_WORKFLOW has no {{height}}:'),
    ])
    // A title is no input.
    const titled = without('6', 'text') as Record<string, unknown>
    titled['6'] = { ...(titled['6'] as object), _meta: { title: '{{prompt}}' } }
    expect(problems(titled)).toHaveLength(1)
    expect(problems(without('3', 'steps', '{{steps}}'))).toEqual([
      expect.stringMatching(
        /^COMFYUI_WORKFLOW has \{\{steps\}\}, which is no placeholder: use \{\{prompt\}\}, /,
      ),
    ])
    expect(problems(without('3', 'picture', '{{picture}}'))).toEqual([
      'COMFYUI_WORKFLOW has {{picture}}: name it in COMFYUI_PICTURE_WORKFLOW, orders here have no picture',
    ])
    expect(problems(given(), { COMFYUI_PICTURE_WORKFLOW: GIVEN })).toEqual([
      expect.stringMatching(/^COMFYUI_PICTURE_WORKFLOW has no \{\{picture\}\}: write it into/),
    ])
  })

  test('issue 52: address, lengths and hosts are checked as well', () => {
    const read = readProviderEnv({ VIDEO_PROVIDER: 'comfyui', COMFYUI_STEPS: '4' })
    expect(read).toMatchObject({
      problems: [
        'COMFYUI_STEPS is not a setting; look for its right name in .env.example',
        expect.stringMatching(/^VIDEO_PROVIDER_URL is required for comfyui: set it to/),
        expect.stringMatching(/^COMFYUI_WORKFLOW is required for comfyui: name the file/),
      ],
    })
    const fixed = without('55', 'length', 81)
    expect(problems(fixed, { COMFYUI_SECONDS: '5' })).toEqual([])
    expect(problems(fixed, { COMFYUI_SECONDS: '4,8' })).toEqual([
      expect.stringMatching(/^COMFYUI_SECONDS must be one length: /),
    ])
    expect(problems(given(), { VIDEO_PROVIDER_ASSET_HOSTS: '10.0.0.1' })).toEqual([
      expect.stringMatching(/^VIDEO_PROVIDER_ASSET_HOSTS does not apply to comfyui: remove it/),
    ])
  })

  test('issue 52: a workflow without {{negative}} has the negative prompt in its prompt', async () => {
    const COMFYUI_WORKFLOW = fileOf(without('7', 'text', ''))
    rig = await open({ env: { COMFYUI_WORKFLOW } })
    expect(rig.provider.can.texts.negativePrompt).toBe('fold-into-prompt')
  })
})

describe('what the server lacks', () => {
  const problemsOf = ({ provider }: Rig) => provider.problems!(AbortSignal.timeout(20_000))

  test('issue 52: is said by name on Set-up, and nothing is ordered with it', async () => {
    rig = await open()
    expect(await problemsOf(rig)).toEqual([])
    const graph = given()
    graph['58']!.class_type = 'VHS_VideoCombine'
    const COMFYUI_WORKFLOW = fileOf(graph)
    rig = await open({ env: { COMFYUI_WORKFLOW } })
    expect(await problemsOf(rig)).toEqual([
      'ComfyUI does not know the node VHS_VideoCombine: install its package there, or export the workflow without it',
    ])
    // The line waits for the operator; the video does not fail.
    const refused = await refusalOf(rig.submit())
    expect(refused).toMatchObject({
      fault: { kind: 'permanent', reason: 'model-gone' },
      acceptance: 'rejected',
      evidence: { message: expect.stringContaining("Node 'VHS_VideoCombine' not found") as string },
    })
    expect(rig.sim.accepted()).toEqual([])
    // The file has changed since the start.
    fs.writeFileSync(COMFYUI_WORKFLOW, '{}')
    expect(await problemsOf(rig)).toEqual([expect.stringContaining('format of the API')])
    fs.writeFileSync(COMFYUI_WORKFLOW, JSON.stringify(graph))
    await rig.sim.down()
    expect(await problemsOf(rig)).toEqual([
      expect.stringMatching(/^ComfyUI does not answer at 127\.0\.0\.1:\d+ \(.*\): start it, or/),
    ])
  })

  test('issue 52: a missing model is named with its node', async () => {
    rig = await open({ scenario: { goneModels: ['wan2.2_5b.safetensors'] } })
    const { evidence } = await refusalOf(rig.submit())
    expect(evidence.message).toBe(
      "node 1 (UNETLoader): Value not in list: unet_name: 'wan2.2_5b.safetensors' not in []",
    )
  })
})

describe('an order that failed', () => {
  const failing = async (code: string, message: string) => {
    const rule = {
      when: { op: 'submit' as const },
      do: { outcome: 'failed' as const, code, message },
    }
    rig = await open({ scenario: { rules: [rule] } })
    const ref = await rig.submit()
    rig.wait(GENERATION_MS)
    return rig.poll(ref)
  }

  test('issue 52: for want of memory is tried again, and says so', async () => {
    expect(await failing('torch.OutOfMemoryError', 'Allocation on device')).toMatchObject({
      state: 'failed',
      fault: { kind: 'transient' },
      evidence: {
        message: 'the server ran out of memory in the node KSampler: Allocation on device',
      },
    })
  })

  test('issue 52: for want of a file fails at once', async () => {
    expect(await failing('FileNotFoundError', 'No such file: lora.safetensors')).toMatchObject({
      fault: { kind: 'permanent', reason: 'other' },
      evidence: { message: 'it failed in the node KSampler: No such file: lora.safetensors' },
    })
  })
})

const LOST = { when: { op: 'submit' as const }, times: 1 }
const MINUTE = 60_000

describe.each([false, true])('a lost order (the server chooses ids: %s)', (ownIds) => {
  const lose = async (fault: 'drop-after-accept' | 'drop-before-accept', more = {}) => {
    const scenario: ScenarioInput = {
      strange: { ownIds },
      rules: [{ ...LOST, do: { fault, ...more } }],
    }
    rig = await open({ scenario, env: { VIDEO_PROVIDER_TIME_SCALE: '1' } })
    expect(await refusalOf(rig.submit({}, 'att-lost'))).toMatchObject({ acceptance: 'unknown' })
  }
  const look = (ageMs: number) => rig.find(REQUEST.prompt, 'att-lost', { ageMs })

  test('issue 52: is found while it waits, while it runs and when it has ended, among others', async () => {
    await lose('drop-after-accept')
    await rig.submit({}, 'att-other')
    const { id } = rig.sim.orders()[0]!
    for (const ms of [0, GENERATION_MS / 2, GENERATION_MS]) {
      rig.wait(ms)
      const found = await look(MINUTE)
      expect(found).toMatchObject({ found: 'order', ref: { id } })
      if (found.found !== 'order' || ms < GENERATION_MS) continue
      expect(await rig.poll(found.ref)).toMatchObject({ state: 'succeeded' })
    }
    expect(rig.sim.accepted()).toHaveLength(2)
  })

  test('issue 52: that was not accepted is settled late enough, and only by answers', async () => {
    await lose('drop-before-accept')
    expect(await look(MINUTE)).toEqual({ found: 'nothing', settled: false })
    for (const op of ['poll', 'list'] as const) {
      rig.sim.play({ strange: { ownIds }, rules: [{ when: { op }, do: { status: 500 } }] })
      await refusalOf(look(3 * MINUTE))
    }
    rig.sim.play({ strange: { ownIds } })
    expect(await look(3 * MINUTE)).toEqual({ found: 'nothing', settled: true })
  })

  test('issue 52: of a server that was restarted meanwhile is settled: it can make nothing of it', async () => {
    await lose('drop-after-accept')
    rig.sim.restart()
    expect(await look(3 * MINUTE)).toEqual({ found: 'nothing', settled: true })
  })

  test('issue 52: is not settled by a history that hides it', async () => {
    await lose('drop-after-accept')
    for (let n = 0; n < 12; n += 1) await rig.submit({}, `att-${n}`)
    rig.wait(GENERATION_MS)
    const found = await look(3 * MINUTE)
    // Its id is asked for where the server uses ours; otherwise it may be further back.
    expect(found).toMatchObject(ownIds ? { settled: false } : { found: 'order' })
  })
})

describe('an order that ends early', () => {
  test('issue 52: a waiting one is withdrawn, a running one is not', async () => {
    rig = await open()
    const ref = await rig.submit()
    expect(await rig.poll(ref)).toMatchObject({ state: 'pending', phase: 'queued' })
    expect(await rig.withdraw(ref)).toBe(true)
    const running = await rig.submit({}, 'att-2')
    rig.wait(GENERATION_MS / 2)
    expect(await rig.poll(running)).toMatchObject({ state: 'pending', phase: 'running' })
    expect(await rig.withdraw(running)).toBe(false)
    rig.wait(GENERATION_MS / 2)
    expect(await rig.withdraw(running)).toBe(false)
    expect(await rig.poll(running)).toMatchObject({ state: 'succeeded' })
    // It cannot be known what became of the order.
    await rig.sim.down()
    expect(await rig.withdraw(ref)).toBe(false)
  })

  test('issue 52: work that is given up is stopped, and no other work', async () => {
    rig = await open()
    const [ours, other] = [await rig.submit({}, 'att-1'), await rig.submit({}, 'att-2')]
    rig.wait(GENERATION_MS / 2)
    const waiting = await rig.submit({}, 'att-3')
    await rig.provider.forget!(ours)
    await rig.provider.forget!(waiting)
    expect(await rig.poll(ours)).toMatchObject({
      state: 'failed',
      fault: { kind: 'transient' },
      evidence: { message: 'it was stopped at the server' },
    })
    expect(await rig.poll(waiting)).toMatchObject({ state: 'failed' })
    rig.wait(GENERATION_MS / 2)
    // Of an order that has ended nothing is stopped.
    await rig.provider.forget!(other)
    expect(await rig.poll(other)).toMatchObject({ state: 'succeeded' })
    const interrupts = rig.sim.journal().filter(({ path }) => path.endsWith('/interrupt'))
    expect(interrupts).toHaveLength(1)
  })

  test('issue 52: after a restart of the server, which loses its orders, the video is ordered again', async () => {
    rig = await open()
    const ref = await rig.submit()
    rig.sim.restart()
    expect(await rig.poll(ref)).toMatchObject({
      state: 'failed',
      fault: { kind: 'transient' },
      evidence: { message: expect.stringContaining('was restarted') as string },
    })
  })
})

test('issue 52: a queue of others that is too long to be read hides nothing that has ended', async () => {
  rig = await open()
  const ref = await rig.submit()
  const long = { when: { op: 'poll' as const }, times: 1, do: { fault: 'big-json' as const } }
  const play = () => rig.sim.play({ defaults: { generationMs: GENERATION_MS }, rules: [long] })
  play()
  expect((await refusalOf(rig.poll(ref))).fault).toEqual({ kind: 'transient' })
  rig.wait(GENERATION_MS)
  play()
  expect(await rig.poll(ref)).toMatchObject({ state: 'succeeded' })
})

type Talk = (request: http.IncomingMessage, response: http.ServerResponse) => void

async function serve(talk: Talk): Promise<string> {
  const server = http.createServer(talk)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('addresses', () => {
  test('S22: only the configured host is called, whatever the server says of its files', async () => {
    const asked: string[] = []
    const other = await serve((request, response) => {
      asked.push(`${request.url}`)
      response.end('secret')
    })
    const keys: (string | undefined)[] = []
    const host = await serve((request, response) => {
      keys.push(request.headers.authorization)
      const { pathname } = new URL(`http://x${request.url}`)
      if (pathname === '/view')
        return response.writeHead(302, { location: `http://${other}/x.mp4` }).end()
      if (pathname === '/queue') return response.end('{"queue_running": [], "queue_pending": []}')
      const { id } = ref
      const file = {
        filename: `http://${other}/a.mp4`,
        subfolder: '../..',
        type: 'output',
        fullpath: '/etc/a.mp4',
      }
      const entry = {
        prompt: [0, id, {}, {}, []],
        outputs: { 1: { gifs: [file] } },
        status: { status_str: 'success' },
      }
      response.end(JSON.stringify({ [id]: entry }))
    })
    rig = await open({ env: { VIDEO_PROVIDER_URL: `http://${host}` } })
    const { accountScope } = rig.credential()
    const ref = { provider: 'comfyui', accountScope, model: 'm', id: 'order-1' }
    const result = await rig.poll(ref)
    if (result.state !== 'succeeded') throw new Error(JSON.stringify(result))
    const [asset] = result.assets
    expect(asset).toMatchObject({
      at: 'url',
      url: expect.stringMatching(`^http://${host}/view[?]`) as string,
    })
    // The redirect to another private address is refused.
    expect((await refusalOf(rig.fetch(ref, asset))).fault).toEqual({
      kind: 'permanent',
      reason: 'protocol',
    })
    const foreign = { at: 'url', url: `http://${other}/a.mp4`, auth: 'credential' } as const
    const into = {
      file: memoryClip(),
      maxBytes: 1_000,
      idleMs: 5_000,
      signal: AbortSignal.timeout(10_000),
    }
    const fetched = rig.provider.fetch({ ref, asset: foreign }, rig.credential(), into)
    expect((await refusalOf(fetched)).fault).toEqual({ kind: 'permanent', reason: 'protocol' })
    expect(asked).toEqual([])
    expect(new Set(keys)).toEqual(new Set(['Bearer sim-default-token']))
  })

  test('issue 52: a server without a proxy needs no key', async () => {
    rig = await open({ env: { VIDEO_PROVIDER_TOKEN: '' } })
    const { ref, asset } = await rig.finished()
    expect((await rig.fetch(ref, asset)).length).toBeGreaterThan(0)
    expect(rig.sim.journal().filter(({ tokenHash }) => tokenHash !== null)).toEqual([])
  })
})
