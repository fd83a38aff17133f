import { median, round } from './measure'
import { read, startFixture, type Fixture } from './fixture'

const USERS = 10_000
const IMPORTED = 100
/** Number of requests on the idle server. */
const SAMPLES = 60

type Beside = {
  action: string
  seconds: number
  samples: number
  p50: number
  ratio: number
  worst: number
}

/**
 * B9: the time of another user's page while an administrator imports, downloads and deletes
 * thousands of users, compared with the same page on an idle server.
 */
export async function adminActions(): Promise<{ idleP50: number; beside: Beside[] }> {
  const fixture = await startFixture({ ownVideos: 100 })
  try {
    await fixture.grow({ users: USERS, videos: USERS })
    await sample(fixture, () => false)
    let left = SAMPLES
    const idle = median(await sample(fixture, () => left-- > 0))
    const beside: Beside[] = []
    for (const [action, run] of actionsOf(fixture)) {
      const startedAt = performance.now()
      let isOver = false
      const done = run().finally(() => (isOver = true))
      const taken = await sample(fixture, () => !isOver)
      await done
      beside.push({
        action,
        seconds: round((performance.now() - startedAt) / 1000),
        samples: taken.length,
        p50: round(median(taken)),
        ratio: round(median(taken) / idle),
        worst: round(Math.max(...taken)),
      })
    }
    return { idleP50: round(idle), beside }
  } finally {
    await fixture.stop()
  }
}

function actionsOf({ admin }: Fixture): [string, () => Promise<unknown>][] {
  const users = Array.from({ length: IMPORTED }, (_, i) => ({
    username: `imported${i}`,
    password: 'secret-1',
  }))
  return [
    [
      `import of ${IMPORTED}`,
      () => refuseFailure(admin.post('/api/admin/users/bulk-import', { users })),
    ],
    [`export of ${USERS}`, () => read(admin, '/admin/users/export')],
    [
      'delete of all users',
      () => refuseFailure(admin.call('DELETE', '/api/admin/users/delete-all', {})),
    ],
  ]
}

async function refuseFailure(call: Promise<{ status: number; body: unknown }>): Promise<void> {
  const { status, body } = await call
  if (status >= 400) throw new Error(`${status} ${JSON.stringify(body)}`)
}

/** Opens another page repeatedly while `goesOn` returns true, at least once, and times it. */
async function sample({ admin }: Fixture, goesOn: () => boolean): Promise<number[]> {
  const taken: number[] = []
  do {
    const startedAt = performance.now()
    await read(admin, '/usage')
    taken.push(performance.now() - startedAt)
  } while (goesOn())
  return taken
}
