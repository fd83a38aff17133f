import type { Db, Executor, Tx } from '../../../app/platform/db/port'
import type { VideoProvider } from '../../../app/platform/providers/port'

/** Thrown at the boundary at which a worker is killed, and at every later one. */
export class Killed extends Error {
  constructor() {
    super('this worker was killed')
    this.name = 'Killed'
  }
}

/**
 * Kills or freezes one worker. There is a boundary before and after every statement and every call to
 * the provider. At a boundary a worker can be killed (it does nothing more, and its open
 * transactions roll back) or frozen for a while, like a process by SIGKILL and SIGSTOP.
 */
export type KillSwitch = {
  isDead: () => boolean
  /** Dies at the n-th boundary from now; with `killAt`, at the first one that matches `at`. */
  killAfter: (boundaries: number) => void
  killAt: (at: RegExp) => void
  /** Returns the boundary at which it died. */
  diedAt: () => string
  freeze: () => void
  /** Freezes at the first boundary that matches. Resolves when it has frozen. */
  freezeAt: (at: RegExp) => Promise<void>
  thaw: () => void
  pass: (boundary: string) => Promise<void>
}

export function newKillSwitch(): KillSwitch {
  let left = Infinity
  let pattern: RegExp | undefined
  let last = ''
  let isDead = false
  let frozen: Promise<void> | undefined
  let wake: () => void = () => undefined
  let sleepAt: RegExp | undefined
  let fellAsleep: () => void = () => undefined
  const freeze = () => {
    frozen = new Promise((resolve) => (wake = resolve))
  }
  return {
    isDead: () => isDead,
    diedAt: () => last,
    killAfter: (boundaries) => {
      left = boundaries
    },
    killAt: (at) => {
      pattern = at
    },
    freeze,
    freezeAt: (at) => {
      sleepAt = at
      return new Promise((resolve) => (fellAsleep = resolve))
    },
    thaw: () => {
      frozen = undefined
      wake()
    },
    pass: async (boundary) => {
      if (sleepAt?.test(boundary)) {
        sleepAt = undefined
        freeze()
        fellAsleep()
      }
      await frozen
      if (isDead) throw new Killed()
      left--
      if (left > 0 && !pattern?.test(boundary)) return
      isDead = true
      last = boundary
      throw new Killed()
    },
  }
}

/** Returns a database that a worker can use only while it is alive. */
export function mortalDb(db: Db, killSwitch: KillSwitch): Db {
  const around = <T>(text: string, run: () => Promise<T>) => guard(killSwitch, text, run)
  return {
    ...db,
    ...mortal(db, killSwitch),
    transaction: (work) =>
      around('transaction', () =>
        db.transaction(async (tx) => {
          const inside: Tx = { ...mortal(tx, killSwitch), inTransaction: true }
          const result = await work(inside)
          await killSwitch.pass('before commit')
          return result
        }),
      ),
  }
}

function mortal(executor: Executor, killSwitch: KillSwitch): Executor {
  return {
    rows: (query) => guard(killSwitch, query.text, () => executor.rows(query)),
    row: (query) => guard(killSwitch, query.text, () => executor.row(query)),
    one: (query) => guard(killSwitch, query.text, () => executor.one(query)),
    run: (query) => guard(killSwitch, query.text, () => executor.run(query)),
    prisma: (ask) => guard(killSwitch, 'prisma', () => executor.prisma(ask)),
  }
}

async function guard<T>(killSwitch: KillSwitch, what: string, run: () => Promise<T>): Promise<T> {
  await killSwitch.pass(`before ${what}`)
  const result = await run()
  await killSwitch.pass(`after ${what}`)
  return result
}

/**
 * Returns a provider whose responses a killed worker no longer receives. Accepted orders stay
 * accepted.
 */
export function mortalProvider(provider: VideoProvider, killSwitch: KillSwitch): VideoProvider {
  const { find } = provider
  return {
    ...provider,
    submit: (...args) => guard(killSwitch, 'provider submit', () => provider.submit(...args)),
    poll: (...args) => guard(killSwitch, 'provider poll', () => provider.poll(...args)),
    fetch: (...args) => guard(killSwitch, 'provider fetch', () => provider.fetch(...args)),
    ...(find && { find: (...args) => guard(killSwitch, 'provider find', () => find(...args)) }),
  }
}
