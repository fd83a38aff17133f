import { once } from 'node:events'
import { createServer } from 'node:http'
import { Server as NetServer } from 'node:net'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { ServerBuild } from '@remix-run/node'
import type * as entryModule from './app/entry.server'

// The web process: it listens, reports readiness to the supervisor and shuts down in order.
// Everything else comes from the built application, because a second copy of a module would have
// its own state.

const LAST_ANSWERS_MS = 10_000
const CLOSE_IDLE_EVERY_MS = 50
/**
 * Time in which an accepted connection may send its first request, when a load balancer is in
 * front.
 */
const LAST_REQUESTS_MS = 1_000
/** The supervisor replaces a process that has been silent for 5 s. */
const ALIVE_EVERY_MS = 500

type Build = Omit<ServerBuild, 'entry'> & { entry: { module: typeof entryModule } }

// eslint-disable-next-line @typescript-eslint/no-unsafe-assignment -- a file the compiler makes later
const build: Build = await import(new URL('./server/index.js', import.meta.url).href)
const { webBoot, createWebApp, refuseHead } = build.entry.module
const boot = webBoot()
const { env, log } = boot
const server = createServer(createWebApp(boot, build))
server.keepAliveTimeout = 65_000
server.on('clientError', refuseHead)

server.once('error', (error: NodeJS.ErrnoException) => {
  const text =
    error.code === 'EADDRINUSE'
      ? `Port ${env.PORT} on ${env.HOST} is taken. Stop what uses it, or set PORT to another one.`
      : `The web server could not listen on ${env.HOST}:${env.PORT}: ${error.message}`
  process.stderr.write(`${text}\n`)
  process.exit(1)
})
server.listen(env.PORT, env.HOST, () => {
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : env.PORT
  log.info({ host: env.HOST, port }, 'web ready')
  process.send?.({ ready: true, port })
  // Also send one immediately: the supervisor watches a process only after its first message.
  const tellAlive = () => process.send?.({ alive: true })
  tellAlive()
  setInterval(tellAlive, ALIVE_EVERY_MS).unref()
})

/**
 * Shuts down in three steps, so that no client is refused. First, /readyz returns 503 and every
 * response closes its connection, while new connections are still served, because a load balancer
 * needs time to notice. Then the listener closes. Last, requests in progress get time to finish.
 */
async function stop(drainSeconds: number) {
  if (boot.stopping.signal.aborted) return
  boot.stopping.abort()
  log.info({ drainSeconds }, 'web stopping')
  await sleep(drainSeconds * 1000)
  await shortTurn()
  setTimeout(() => {
    log.warn('stopped before every request was answered')
    process.exit(0)
  }, LAST_ANSWERS_MS).unref()
  const closed = once(server, 'close')
  // Close only the listener. In newer versions of Node, http's own close() also ends connections
  // whose first request is still arriving.
  NetServer.prototype.close.call(server)
  if (drainSeconds > 0) await Promise.race([closed, sleep(LAST_REQUESTS_MS)])
  // A connection that is busy now becomes idle later and would otherwise wait for another request.
  setInterval(() => server.closeIdleConnections(), CLOSE_IDLE_EVERY_MS).unref()
  await closed
  await boot.close()
  process.exit(0)
}

/** An event-loop iteration shorter than this did nothing but accept connections. */
const SHORT_TURN_MS = 1
const MOST_TURNS = 1_000

/**
 * Waits until all pending connections have been accepted. The system resets those that are still
 * pending when the listener closes, and a proxy must not send their orders again.
 */
async function shortTurn() {
  for (let turn = 0; turn < MOST_TURNS; turn++) {
    const startedAt = performance.now()
    await nextTurn()
    if (performance.now() - startedAt < SHORT_TURN_MS) return
  }
}

process.once('SIGTERM', () => stop(env.DRAIN_SECONDS))
// From a terminal: there is no load balancer to wait for.
process.once('SIGINT', () => stop(0))
// The supervisor is gone, so no other process would stop this one.
process.once('disconnect', () => process.exit(1))
process.on('unhandledRejection', (error) => {
  log.fatal({ err: error }, 'unhandled rejection')
  process.exit(1)
})
