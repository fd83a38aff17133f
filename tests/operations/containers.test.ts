import fs from 'node:fs/promises'
import { expect, test } from 'vitest'
import { z } from 'zod'

const read = (file: string) => fs.readFile(file, 'utf8')
const manifest = z.object({ scripts: z.record(z.string()) })
const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found]) => found)

test.each([
  ['kubernetes.yml', /command: \[npm, run, (\w+)\]/g, ['migrate', 'web', 'worker']],
  ['kamal.yml', /npm run (\w+)/g, ['migrate', 'worker']],
] as const)('%s uses existing settings and commands', async (file, pattern, expected) => {
  const example = await read(`docs/operations/${file}`)
  const known = all(await read('.env.example'), /^#?([A-Z][A-Z0-9_]+)=/gm)
  const named = all(example, /(?<!\$)\b([A-Z][A-Z0-9]*_[A-Z0-9_]+)\b/g)
  const ofOthers = /^(KAMAL|POSTGRES)_/
  expect(named.length).toBeGreaterThan(10)
  expect(named.filter((name) => !ofOthers.test(name!) && !known.includes(name))).toEqual([])

  const { scripts } = manifest.parse(JSON.parse(await read('package.json')))
  const commands = all(example, pattern)
  expect(commands).toEqual(expected)
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining(commands))
})

test('the probes of the examples use the ports of the processes', async () => {
  const kamal = await read('docs/operations/kamal.yml')
  const metricsPort = /WORKER_METRICS_PORT: '(\d+)'/.exec(kamal)?.[1]
  expect(kamal).toContain(`http://127.0.0.1:${metricsPort}/healthz`)
  expect(kamal).toContain('app_port: 3000')
  const example = await read('docs/operations/kubernetes.yml')
  const port = /WORKER_METRICS_PORT: '(\d+)'/.exec(example)?.[1]
  expect(example).toContain(`name: metrics, containerPort: ${port}`)
  expect(await read('Dockerfile')).toMatch(/PORT=3000/)
  expect(example).toContain('name: http, containerPort: 3000')
})

const PINNED = /^(node|postgres|chrislusf\/seaweedfs):(\d[\w.-]*)@sha256:[0-9a-f]{64}$/

test('base images are pinned by digest, on a version of Node that the tests of the parts run with', async () => {
  const node = all(await read('Dockerfile'), /^ARG NODE=(\S+)$/gm)
  const stages = all(await read('Dockerfile'), /^FROM (\S+)/gm)
  expect(stages.every((base) => ['${NODE}', 'deps'].includes(base!))).toBe(true)
  const images = [
    ...node,
    ...all(await read('compose.yaml'), /^ {4}image: (?:&\S+ )?([^*\s]\S+)$/gm),
  ]
  expect(images).toHaveLength(3)
  expect(images.filter((image) => !PINNED.test(image ?? ''))).toEqual([])

  const version = PINNED.exec(node[0]!)?.[2]?.split('-')[0]
  expect(await read('tests/parts/nodes.parts.ts')).toContain(`'${version}'`)
})
