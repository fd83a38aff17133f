import { once } from 'node:events'
import { createServer } from 'node:http'
import { Server as NetServer } from 'node:net'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { broadcastDevReady, type ServerBuild } from '@remix-run/node'
import type * as entryModule from './app/entry.server'

// The web process: listens, says so, and stops in good order. Everything else comes from the built
// application; a second copy of a module would have a second copy of its state.

const LAST_ANSWERS_MS = 10_000
const CLOSE_IDLE_EVERY_MS = 50
/** So long a connection that was accepted may take to send its request, where a load balancer is waited for. */
const LAST_REQUESTS_MS = 1_000
/** A turn of the event loop that took no longer did nothing but take connections. */
const SHORT_TURN_MS = 1
const MOST_TURNS = 1_000
/** The supervisor replaces a process that says nothing for 5 s. */
const ALIVE_EVERY_MS = 500

type Build = Omit<ServerBuild, 'entry'> & { entry: { module: typeof entryModule } }

// eslint-disable-next-line @typescript-eslint/no-unsafe-assignment -- a file the compiler makes later
const build: Build = await import(new URL('./index.js', import.meta.url).href)
const { webBoot, createWebApp } = build.entry.module
const boot = webBoot()
const { env, log } = boot
const server = createServer(createWebApp(boot, build))
server.keepAliveTimeout = 65_000

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
  // At once as well: what has said nothing yet is not waited for.
  const tellAlive = () => process.send?.({ alive: true })
  tellAlive()
  setInterval(tellAlive, ALIVE_EVERY_MS).unref()
  if (process.env.NODE_ENV === 'development') void broadcastDevReady(build)
})

/**
 * In three steps, so that no client meets a closed door. First /readyz says 503 and every answer asks
 * its client to leave, while new connections are still served: a load balancer needs a moment to
 * look. Then nothing new is taken. Last, what is being answered gets its time.
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
  // Only the listener: http's own close, in newer Nodes, also ends connections whose first request is on its way.
  NetServer.prototype.close.call(server)
  if (drainSeconds > 0) await Promise.race([closed, sleep(LAST_REQUESTS_MS)])
  // A connection that was answering becomes idle later, and would be kept for another request.
  setInterval(() => server.closeIdleConnections(), CLOSE_IDLE_EVERY_MS).unref()
  await closed
  await boot.close()
  process.exit(0)
}

/**
 * Waits for the moment right after every connection that had come was taken. Those that are still waiting
 * when the listener closes are reset by the system, and a proxy must not send their orders again.
 */
async function shortTurn() {
  for (let turn = 0; turn < MOST_TURNS; turn++) {
    const startedAt = performance.now()
    await nextTurn()
    if (performance.now() - startedAt < SHORT_TURN_MS) return
  }
}

process.once('SIGTERM', () => stop(env.DRAIN_SECONDS))
// Somebody at a terminal waits, and no load balancer.
process.once('SIGINT', () => stop(0))
// The supervisor is gone: nobody would stop this process any more.
process.once('disconnect', () => process.exit(1))
process.on('unhandledRejection', (error) => {
  log.fatal({ err: error }, 'unhandled rejection')
  process.exit(1)
})
