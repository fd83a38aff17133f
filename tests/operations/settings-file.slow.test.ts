import { execFile } from 'node:child_process'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bareEnv } from '../support/processes'

let home: string
beforeAll(async () => {
  home = await fs.mkdtemp(path.join(os.tmpdir(), 'reelmill-env-'))
})
afterAll(() => fs.rm(home, { recursive: true, force: true }))

/** Runs a command of package.json with `env` as its only settings. */
function npmRun(command: string, env: Record<string, string>) {
  return new Promise<string>((resolve) => {
    execFile(
      'npm',
      ['run', '--silent', command],
      { env: { ...bareEnv(), ...env } },
      (_error, stdout, stderr) => resolve(stdout + stderr),
    )
  })
}

describe.each(['migrate', 'web', 'worker'])('npm run %s', (command) => {
  test('reads its settings from the file in ENV_FILE, and from nowhere else', async () => {
    const file = path.join(home, `${command}.env`)
    await fs.writeFile(
      file,
      'DATABASE_URL=postgresql://127.0.0.1:1/none\nSESSION_SECRET=short\nENCRYPTION_KEY=short\n',
    )
    const output = await npmRun(command, { ENV_FILE: file })
    // The address came from the file, so the errors are about other settings.
    expect(output).toContain('SESSION_SECRET must be at least 32 characters')
    expect(output).not.toContain('DATABASE_URL')
    expect(output).not.toMatch(/^ +at /m)
  })

  test('a password that is not encoded is no other host', async () => {
    const output = await npmRun(command, {
      DATABASE_URL: 'postgresql://me:p@ss/wort@127.0.0.1:1/x',
    })
    expect(output).toContain('DATABASE_URL must be an address such as postgresql://user:password')
    expect(output).toContain('special characters of the password are percent-encoded')
    expect(output).not.toContain('wort')
  })

  test('reports a file that cannot be read', async () => {
    const file = path.join(home, 'missing.env')
    expect(await npmRun(command, { ENV_FILE: file })).toBe(
      `The settings in ${file} cannot be read (ENOENT).\n`,
    )
  })
})

test('an empty setting is none: a command still uses the database of its folder', async () => {
  const empty = { DATABASE_URL: '', SESSION_SECRET: '', ENCRYPTION_KEY: '' }
  const output = await npmRun('seed', { ...empty, DATA_DIR: '/dev/null/folder' })
  expect(output).toMatch(/^Nothing can be written to \/dev\/null\/folder/m)
})

test.each([
  ['empty', ''],
  ['cut off', '{"SESSION_SECRET": "x"'],
])('secrets of the installation that are %s are reported and kept', async (name, text) => {
  const folder = path.join(home, name)
  await fs.mkdir(folder)
  await fs.writeFile(path.join(folder, 'secrets.json'), text)
  const output = await npmRun('seed', { DATA_DIR: folder })
  expect(output).toContain('secrets.json does not hold this installation')
  expect(await fs.readFile(path.join(folder, 'secrets.json'), 'utf8')).toBe(text)
  expect(output).not.toMatch(/^ +at /m)
})
