// The web server of `npm run dev`, a process of its own: Vite compiles the pages and their scripts from the
// source when they are asked for, and replaces changed components in the browser.
import { createServer } from 'node:http'
import { createServer as createVite } from 'vite'

const server = createServer()
const vite = await createVite({ server: { middlewareMode: true, hmr: { server } } })

/** @type {{ build: unknown, boot: import('../../app/boot/deps.server').Boot, app: import('express').Express } | undefined} */
let current
/** @type {Promise<unknown>} */
let turn = Promise.resolve()

/** Returns the application of the present source. After a change it starts anew, with its own connections. */
async function load() {
  const build = await vite.ssrLoadModule('virtual:remix/server-build')
  if (current?.build === build) return current
  const before = current?.boot
  before?.stopping.abort()
  globalThis.reelmillWeb = undefined
  const { webBoot, createWebApp } = build.entry.module
  const boot = webBoot()
  current = { build, boot, app: createWebApp(boot, build) }
  await before?.close()
  return current
}

/** Loads it once, however many requests ask. */
function loadInTurn() {
  const loaded = turn.then(load, load)
  turn = loaded
  return loaded
}

server.on('request', (req, res) =>
  vite.middlewares(req, res, async () => {
    try {
      const { app } = await loadInTurn()
      app(req, res)
    } catch (error) {
      if (error instanceof Error) vite.ssrFixStacktrace(error)
      console.error(error)
      res.writeHead(500, { 'Content-Type': 'text/plain' }).end(String(error))
    }
  }),
)
const { env } = (await loadInTurn()).boot
server.listen(env.PORT, env.HOST, () => console.log(`\n  Ready:  ${env.APP_URL}\n`))
// `npm run dev` is gone.
process.once('disconnect', () => process.exit(1))
