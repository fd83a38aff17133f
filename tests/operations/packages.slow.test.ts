import { execFile } from 'node:child_process'
import fs from 'node:fs/promises'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { shippedPackages } from '../../scripts/lib/shipped.mjs'

const billOfMaterials = z.object({
  bomFormat: z.literal('CycloneDX'),
  components: z.array(
    z.object({
      'bom-ref': z.string(),
      name: z.string(),
      version: z.string(),
      licenses: z.array(z.unknown()).min(1),
    }),
  ),
  dependencies: z.array(z.object({ ref: z.string(), dependsOn: z.array(z.string()) })),
})
const sourceMap = z.object({ sources: z.array(z.string()) })

test('the bill of materials lists each production package once, and no others', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['scripts/sbom.mjs'], {
    maxBuffer: 64 * 1024 * 1024,
  })
  const { components, dependencies } = billOfMaterials.parse(JSON.parse(stdout))
  const named = new Set(components.map(({ name, version }) => `${name}@${version}`))
  const shipped = (await shippedPackages()).map(({ name, version }) => `${name}@${version}`)
  expect(shipped.filter((one) => !named.has(one))).toEqual([])
  expect([...named].filter((one) => /^(eslint|vitest|playwright|vite)@/.test(one))).toEqual([])
  const refs = components.map((one) => one['bom-ref'])
  expect(new Set(refs).size).toBe(refs.length)
  expect(dependencies.flatMap((one) => one.dependsOn).filter((on) => !refs.includes(on))).toEqual(
    [],
  )
  const encoder = components.find(({ name }) => name === '@napi-rs/webcodecs-linux-x64-gnu')
  expect(encoder?.licenses).toEqual([{ license: { id: 'GPL-3.0-or-later' } }])
})

test('every package that is part of the pages or their scripts is in the notices', async () => {
  const notices = await fs.readFile('THIRD_PARTY_NOTICES', 'utf8')
  const scripts = await fs.readdir('public/build')
  const files = [
    'build/server/index.js.map',
    ...scripts.filter((name) => name.endsWith('.js.map')).map((name) => `public/build/${name}`),
  ]
  const texts = await Promise.all(files.map((file) => fs.readFile(file, 'utf8')))
  const parts = texts
    .flatMap((text) => sourceMap.parse(JSON.parse(text)).sources)
    .map((file) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1])
    .filter((name) => name !== undefined)
  expect(parts).toContain('react-dom')
  expect(notices).toContain('\nlucide-react ')
  expect(parts.filter((name) => !notices.includes(`\n${name} `))).toEqual([])
})
