import { execFile } from 'node:child_process'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { commandOf, identityOf } from '../../scripts/lib/is-running.mjs'
import { holderOf } from '../../scripts/lib/lock.mjs'

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

const TURNS = 40
/** Takes a lock again and again, and notes in a file when it has it. */
const WAITER = `
  const fs = await import('node:fs/promises')
  const { waitForLock } = await import('./scripts/lib/lock.mjs')
  const [, , from, home] = process.argv
  while (Date.now() < Number(from));
  for (let turn = 0; turn < ${TURNS}; turn++) {
    const release = await waitForLock(home + '/lock')
    await fs.appendFile(home + '/notes', 'in ' + process.pid + '\\n')
    await new Promise(setImmediate)
    await fs.appendFile(home + '/notes', 'out ' + process.pid + '\\n')
    if (turn % 2) await release()
    else {
      // As if this process had been killed.
      await fs.writeFile(home + '/dead' + process.pid, '${2 ** 22} another-boot/1')
      await fs.rename(home + '/dead' + process.pid, home + '/lock')
    }
  }`

test('of several processes that wait for a lock, one has it at a time, also while they are killed', async () => {
  const home = await fs.mkdtemp(path.join(os.tmpdir(), 'reelmill-lock-'))
  try {
    await fs.writeFile(path.join(home, 'lock'), String(2 ** 22))
    const args = ['--input-type=module', '-e', WAITER, '-', String(Date.now() + 2_000), home]
    await Promise.all(
      Array.from({ length: STARTS }, () => promisify(execFile)(process.execPath, args)),
    )
    const notes = (await fs.readFile(path.join(home, 'notes'), 'utf8')).trim().split('\n')
    expect(notes).toHaveLength(2 * STARTS * TURNS)
    for (let i = 0; i < notes.length; i += 2)
      expect(notes[i + 1]).toBe(notes[i]?.replace('in', 'out'))
    expect(await fs.readdir(home)).toEqual(['notes'])
  } finally {
    await fs.rm(home, { recursive: true, force: true })
  }
})

test('a lock whose process has ended does not count, even if another process has its id now', async () => {
  const home = await fs.mkdtemp(path.join(os.tmpdir(), 'reelmill-lock-'))
  try {
    const file = path.join(home, 'lock')
    await fs.writeFile(file, `${process.ppid} another-boot/1`)
    expect(await holderOf(file)).toBeUndefined()
    await fs.writeFile(file, `${process.ppid} ${await identityOf(process.ppid)}`)
    expect(await holderOf(file)).toBe(process.ppid)
    // As earlier versions wrote it: the process has to be one of the product's scripts.
    await fs.writeFile(file, String(process.ppid))
    const isScript = (await commandOf(process.ppid))?.includes('.mjs')
    expect(await holderOf(file)).toBe(isScript ? process.ppid : undefined)
  } finally {
    await fs.rm(home, { recursive: true, force: true })
  }
})
