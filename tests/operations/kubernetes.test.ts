import fs from 'node:fs/promises'
import { expect, test } from 'vitest'
import { z } from 'zod'

const read = (file: string) => fs.readFile(file, 'utf8')
const manifest = z.object({ scripts: z.record(z.string()) })
const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found]) => found)

test('the Kubernetes example uses existing settings and commands', async () => {
  const example = await read('docs/operations/kubernetes.yml')
  const known = all(await read('.env.example'), /^#?([A-Z][A-Z0-9_]+)=/gm)
  const named = all(example, /\b([A-Z][A-Z0-9]*_[A-Z0-9_]+)\b/g)
  expect(named.length).toBeGreaterThan(10)
  expect(named.filter((name) => !known.includes(name))).toEqual([])

  const { scripts } = manifest.parse(JSON.parse(await read('package.json')))
  const commands = all(example, /command: \[npm, run, (\w+)\]/g)
  expect(commands).toEqual(['migrate', 'web', 'worker'])
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining(commands))
})

test('its probes use the ports of the processes', async () => {
  const example = await read('docs/operations/kubernetes.yml')
  const port = /WORKER_METRICS_PORT: '(\d+)'/.exec(example)?.[1]
  expect(example).toContain(`name: metrics, containerPort: ${port}`)
  expect(await read('Dockerfile')).toMatch(/PORT=3000/)
  expect(example).toContain('name: http, containerPort: 3000')
})
