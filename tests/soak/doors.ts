import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { setPriority } from '../support/strain'
import type { Ask, Told } from './door'

/** A proxy in front of one server of the provider. */
export type Door = {
  /** The address that the product uses in place of the server's own. */
  url: string
  refuse: () => Promise<void>
  hang: () => Promise<void>
  open: () => Promise<void>
}

export type Doors = {
  start: (name: string, target: string) => Promise<Door>
  /**
   * Returns when the first order of each video arrived at a door, refused or not, by the video's
   * number.
   */
  arrivals: () => Promise<ReadonlyMap<number, number>>
  stop: () => Promise<void>
}

type Wish = Ask extends infer Each ? (Each extends Ask ? Omit<Each, 'id'> : never) : never

const PROGRAM = fileURLToPath(new URL('./door.ts', import.meta.url))

/** Starts the process of the proxies between the product and the provider. */
export function startDoors(): Doors {
  const child = fork(PROGRAM, ['serve'], { execArgv: ['--import', 'tsx'] })
  if (child.pid !== undefined) setPriority(child.pid, -10)
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const waiting = new Map<number, (told: Told) => void>()
  let last = 0
  child.on('message', (told: Told) => waiting.get(told.id)?.(told))
  const ask = (wish: Wish) =>
    new Promise<Told>((resolve) => {
      const id = ++last
      waiting.set(id, resolve)
      child.send({ id, ...wish })
    })
  return {
    start: async (door, target) => {
      const { port } = await ask({ what: 'start', door, target })
      const order = (what: 'refuse' | 'hang' | 'open') => async () => {
        await ask({ what, door })
      }
      return {
        url: `http://127.0.0.1:${port}`,
        refuse: order('refuse'),
        hang: order('hang'),
        open: order('open'),
      }
    },
    arrivals: async () => new Map((await ask({ what: 'arrivals' })).arrivals),
    stop: async () => {
      child.kill('SIGKILL')
      await ended
    },
  }
}
