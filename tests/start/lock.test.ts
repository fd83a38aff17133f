import { execFile } from 'node:child_process'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'

const STARTS = 4
const ROUNDS = 25

/** Locks one folder after the other, each at a time that is the same in all processes. */
const PROGRAM = `
  const { lockDataDir } = await import('./scripts/lib/data-dir.mjs')
  const [, , from, ...folders] = process.argv
  for (const [i, folder] of folders.entries()) {
    while (Date.now() < Number(from) + i * 40);
    await lockDataDir(folder).then(() => console.log(folder), () => undefined)
  }
  // The locks of a process that has ended do not count.
  process.stdin.resume()
  console.log('done')`

test('of several starts in one folder at the same time, one gets it', async () => {
  const home = await fs.mkdtemp(path.join(os.tmpdir(), 'reelmill-lock-'))
  const folders = Array.from({ length: ROUNDS }, (_, i) => path.join(home, String(i)))
  for (const folder of folders) await fs.mkdir(folder)
  try {
    const from = String(Date.now() + 3_000)
    const starts = Array.from({ length: STARTS }, (_, i) => {
      const script = i % 2 === 0 ? 'start.mjs' : 'dev.mjs'
      const args = ['--input-type=module', '-e', PROGRAM, script, from]
      return execFile(process.execPath, [...args, ...folders])
    })
    const outputs = starts.map(() => '')
    await Promise.all(
      starts.map(
        (start, i) =>
          new Promise<void>((resolve) =>
            start.stdout?.on('data', (text: string) => {
              outputs[i] = `${outputs[i] ?? ''}${text}`
              if (outputs[i].includes('done')) resolve()
            }),
          ),
      ),
    )
    for (const start of starts) start.stdin?.end()
    const locked = outputs
      .join('')
      .split('\n')
      .filter((line) => line.startsWith(home))
    expect(locked.sort()).toEqual(folders.sort())
  } finally {
    await fs.rm(home, { recursive: true, force: true })
  }
})
