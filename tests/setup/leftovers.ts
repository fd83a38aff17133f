import { afterAll, beforeAll, expect, vi } from 'vitest'

// The files that one worker runs share its modules and globals. This names the file that leaves one of
// them changed, instead of the file that fails because of it.

/** Resources of Node that a file must not leave open. Timers and idle connections end by themselves. */
const OPEN = ['ProcessWrap', 'TCPServerWrap', 'PipeServerWrap']
const EVENTS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'uncaughtException', 'unhandledRejection']

/** The bucket's client sets it once, to print its warning about old versions of Node once. */
const OF_LIBRARIES = 'AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'

const stateOf = () => ({
  environment: { ...process.env, [OF_LIBRARIES]: undefined },
  folder: process.cwd(),
  open: process.getActiveResourcesInfo().filter((name) => OPEN.includes(name)),
  listeners: EVENTS.map((name) => `${name}: ${process.listenerCount(name)}`),
  hasFakeTimers: vi.isFakeTimers(),
  fetch: globalThis.fetch,
})

let before: ReturnType<typeof stateOf>
beforeAll(() => {
  before = stateOf()
})
// Added before the hooks of the file, so it runs after them.
afterAll(async () => {
  // A server that was closed is listed until the next turn of the event loop.
  await vi.waitFor(
    () => expect(stateOf(), 'what this file leaves for the next one').toEqual(before),
    {
      timeout: 10_000,
    },
  )
})
