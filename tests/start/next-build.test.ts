import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { putInPlace } from '../../scripts/lib/next-build.mjs'

let home: string
beforeEach(async () => {
  home = await fs.mkdtemp(path.join(os.tmpdir(), 'reelmill-build-'))
})
afterEach(() => fs.rm(home, { recursive: true }))

const at = (...names: string[]) => path.join(home, ...names)
const write = async (file: string, text: string) => {
  await fs.mkdir(path.dirname(file), { recursive: true })
  await fs.writeFile(file, text)
}
const scripts = async () =>
  (await fs.readdir(at('assets/_shared'))).map((name) => /-(\d+)\.js$/.exec(name)?.[1]).sort()

/** A build whose files for browsers carry its number, but for one that never changes. */
async function build(number: number): Promise<void> {
  await write(at('next/server.js'), `server ${number}`)
  await write(at('next/client/entry.js'), 'the same')
  await write(at(`next/client/_shared/base-${number}.js`), `base ${number}`)
  await putInPlace({ next: at('next'), programs: at('programs'), assets: at('assets') })
}

test('browsers find the files of the newest build and of the two before, and no more pile up', async () => {
  for (const number of [1, 2, 3, 4]) await build(number)
  expect(await scripts()).toEqual(['2', '3', '4'])
  await expect(fs.readFile(at('assets/entry.js'), 'utf8')).resolves.toBe('the same')
  await expect(fs.readFile(at('programs/server.js'), 'utf8')).resolves.toBe('server 4')
  await expect(fs.stat(at('next'))).rejects.toThrow('ENOENT')
})

test('building the same again pushes no other build out', async () => {
  for (const number of [1, 2, 2, 2, 3]) await build(number)
  expect(await scripts()).toEqual(['1', '2', '3'])
})

test('going back to the build before keeps both', async () => {
  for (const number of [1, 2, 1]) await build(number)
  expect(await scripts()).toEqual(['1', '2'])
})

test('what was there before builds left lists counts as one build', async () => {
  await write(at('assets/_shared/base-0.js'), 'base 0')
  for (const number of [1, 2]) await build(number)
  expect(await scripts()).toEqual(['0', '1', '2'])
  await build(3)
  expect(await scripts()).toEqual(['1', '2', '3'])
})

test('a program that is no more goes', async () => {
  await build(1)
  await write(at('programs/gone.js'), 'of an older version')
  await build(2)
  expect((await fs.readdir(at('programs'))).sort()).toEqual(['server.js'])
})

test('an upgrade into a folder of its own takes the files of the builds before along, and they end as well', async () => {
  for (const number of [1, 2, 3, 4, 5]) {
    await build(number)
    await fs.cp(at('assets'), at('taken'), { recursive: true })
    for (const name of ['assets', 'programs']) await fs.rm(at(name), { recursive: true })
    await fs.rename(at('taken'), at('assets'))
  }
  expect(await scripts()).toEqual(['3', '4', '5'])
})
