import fs from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { until } from '../support/wait'
import { childrenOf, isAlive, pageOf, useStarts } from './starts'

// What happens at later starts, and to processes that die, is in start.slow.test.ts.
const { place, startProduct, postgresPid, usersOfDatabase } = useStarts()

test('npm start: the first start creates an administrator and serves; Ctrl-C leaves no process or file', async () => {
  const first = await startProduct()
  expect(await pageOf(first)).toBe(200)
  const [, username, password] = /username {2}(\S+)\s+password {2}(\S+)/.exec(first.output()) ?? []
  const signIn = await fetch(`${first.url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password }),
  })
  expect(await signIn.json()).toEqual({ username: 'admin', role: 'admin' })

  // A successful start logs no warning.
  const warnings = first
    .output()
    .split('\n')
    .filter((line) => /"level":"(warn|error|fatal)"/.test(line))
  expect(warnings).toEqual([])
  const pids = [...Object.values(await childrenOf(first)), await postgresPid()]
  expect(pids).toHaveLength(3)
  expect(await usersOfDatabase()).toEqual(['reelmill_app'])
  first.child.kill('SIGINT')
  expect(await first.ended).toBe(0)
  // PostgreSQL removes its pid file, for which the stop waits, shortly before its process ends.
  await until('no process to be left', () => !pids.some(isAlive))
  await expect(fs.stat(path.join(place.dataDir, 'running.pid'))).rejects.toThrow()
  await expect(fs.stat(path.join(place.dataDir, 'postgres/postmaster.pid'))).rejects.toThrow()
})
