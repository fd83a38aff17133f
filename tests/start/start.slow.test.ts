import fs from 'node:fs/promises'
import net from 'node:net'
import path from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../scripts/lib/postgres.mjs'
import { until } from '../support/wait'
import { launch, START } from './launch'
import { childrenOf, isAlive, pageOf, useStarts } from './starts'

const { place, startProduct, postgresPid, inDatabase, usersOfDatabase } = useStarts()
// The first start, which start.test.ts covers.
beforeAll(async () => {
  const first = await startProduct()
  first.child.kill('SIGTERM')
  await first.ended
})

describe('npm start', () => {
  test('a process that dies is restarted; the children of a killed supervisor end, and the next start continues', async () => {
    const second = await startProduct()
    expect(second.output()).not.toContain('password')
    expect(await usersOfDatabase()).toEqual(['reelmill_app'])

    for (const program of ['worker', 'server']) {
      const before = (await childrenOf(second))[program] ?? 0
      process.kill(before, 'SIGKILL')
      await until(`another ${program}`, async () => {
        const now = (await childrenOf(second))[program]
        return now !== undefined && now !== before
      })
    }
    await until('the page to load', async () => (await pageOf(second)) === 200)

    const children = Object.values(await childrenOf(second))
    second.child.kill('SIGKILL')
    await until('the children to end', () => !children.some(isAlive))
    const postgres = await postgresPid()
    expect(isAlive(postgres)).toBe(true)
    // As in an installation from before web and worker had their own database user.
    await inDatabase('drop owned by reelmill_app')
    await inDatabase('drop role reelmill_app')

    const third = await startProduct()
    expect(await usersOfDatabase()).toEqual(['reelmill_app'])
    expect(await postgresPid()).toBe(postgres)
    expect(await pageOf(third)).toBe(200)

    const again = launch({ DATA_DIR: place.dataDir, PORT: String(await freePort()) })
    expect(await again.ended).toBe(1)
    expect(again.output()).toMatch(/^Reelmill is already running on .* \(process \d+\)\.\n$/)

    process.kill(await postgresPid(), 'SIGKILL')
    third.child.kill('SIGKILL')
    await third.ended
    const fourth = await startProduct()
    expect(await pageOf(fourth)).toBe(200)
    fourth.child.kill('SIGTERM')
    expect(await fourth.ended).toBe(0)
    expect(isAlive(postgres)).toBe(false)
  })

  test('a database that was killed is started again, and pages are served again', async () => {
    const started = await startProduct()
    const before = await postgresPid()
    process.kill(before, 'SIGKILL')
    await until('another database', async () => {
      const now = await postgresPid().catch(() => before)
      return now !== before && isAlive(now)
    })
    await until('the database to be used', async () => (await fetch(`${started.url}/readyz`)).ok)
    expect(started.output()).toContain('The database has ended and is started again.')
    started.child.kill('SIGTERM')
    expect(await started.ended).toBe(0)
    expect(isAlive(await postgresPid().catch(() => before))).toBe(false)
  })

  test('the first start and two commands at the same time use one database, which keeps running', async () => {
    const earlier = place.dataDir
    place.dataDir = path.join(earlier, 'at-once')
    onTestFinished(() => {
      place.dataDir = earlier
    })
    const command = [process.execPath, 'scripts/program.mjs', 'same-names']
    const commands = [1, 2].map(() => launch({ DATA_DIR: place.dataDir }, command))
    const product = await startProduct()
    for (const { ended, output } of commands) expect(await ended, output()).toBe(0)
    expect(await pageOf(product)).toBe(200)
    expect(product.output()).not.toContain('The database has ended')
    product.child.kill('SIGINT')
    expect(await product.ended).toBe(0)
    expect((await fs.readdir(place.dataDir)).filter((name) => name.endsWith('.pid'))).toEqual([])
  })

  test('the nightly backup, which the product starts, leaves the database running', async () => {
    const folder = path.join(place.dataDir, 'backups')
    const product = await startProduct(START, { BACKUP_DIR: folder })
    const database = await postgresPid()
    await until('the backup to end', () => product.output().includes('read back and whole'))
    await until('its process to end', async () => {
      const locks = await fs.readdir(place.dataDir)
      return !locks.includes('command.pid') && !('backup' in (await childrenOf(product)))
    })
    expect(await postgresPid()).toBe(database)
    expect(await pageOf(product)).toBe(200)
    product.child.kill('SIGINT')
    expect(await product.ended).toBe(0)
    expect(product.output()).not.toContain('The database has ended')
  })

  test('a web process that hangs is replaced, and pages are served again', async () => {
    const started = await startProduct()
    const before = (await childrenOf(started)).server ?? 0
    process.kill(before, 'SIGSTOP')
    await until('another web process', async () => {
      const now = (await childrenOf(started)).server
      return now !== undefined && now !== before
    })
    await until('the page to load', async () => (await pageOf(started)) === 200)
    expect(isAlive(before)).toBe(false)
    expect(started.output()).toContain('The web process hangs and is replaced.')
    started.child.kill('SIGTERM')
    expect(await started.ended).toBe(0)
  })

  test('stopping npm stops all processes that it started', async () => {
    const started = await startProduct(['npm', 'start'])
    const postgres = await postgresPid()
    started.child.kill('SIGTERM')
    await started.ended
    await until('the database to end', () => !isAlive(postgres))
    await expect(fetch(`${started.url}/healthz`)).rejects.toThrow()
  })
})

describe('an invalid environment: one message, and the process exits', () => {
  const refused = async (env: Record<string, string>) => {
    const started = launch({ DATA_DIR: place.dataDir, PORT: String(await freePort()), ...env })
    expect(await started.ended).toBe(1)
    return started.output()
  }

  test('a taken port', async () => {
    const server = net.createServer()
    const port = await freePort()
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
    expect(await refused({ PORT: String(port) })).toBe(
      `Port ${port} on 127.0.0.1 is taken. Stop what uses it, or set PORT to another one.\n`,
    )
    server.close()
  })

  test('a folder that cannot be written to', async () => {
    const text = await refused({ DATA_DIR: path.join(place.dataDir, 'secrets.json/below') })
    expect(text).toMatch(
      /^Nothing can be written to .*below \(ENOTDIR\)\. Set DATA_DIR to a folder of yours\.\n$/,
    )
  })

  test('a database that refuses the connection', async () => {
    const text = await refused({
      DATABASE_URL: `postgresql://nobody:wrong@127.0.0.1:${await freePort()}/none`,
      SESSION_SECRET: 'x'.repeat(32),
      ENCRYPTION_KEY: 'y'.repeat(32),
    })
    expect(text).toMatch(
      /^The database cannot be used: .*ECONNREFUSED.*\. Check that PostgreSQL runs there.*\n$/,
    )
  })

  test('invalid settings, all reported together', async () => {
    const text = await refused({
      PORT: 'http',
      VIDEO_PROVIDER: 'flow',
      PLATFORM_TIMEZONE: 'Mars',
      LOG_LEVEL: 'loud',
    })
    expect(
      text
        .split('\n')
        .filter((line) => line.startsWith('  - '))
        .sort(),
    ).toEqual([
      '  - LOG_LEVEL must be fatal, error, warn, info, debug, trace or silent',
      '  - PLATFORM_TIMEZONE must be a time zone such as UTC or Asia/Karachi',
      '  - PORT must be a whole number from 0 to 65535',
      '  - VIDEO_PROVIDER must be local, vertex-veo, openai-videos, runway, tasks or comfyui',
    ])
  })
})
