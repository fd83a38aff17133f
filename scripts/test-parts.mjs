// `npm run test:parts`: the tests with third-party programs, which not every machine has. Installs the
// distribution's where it may; a test without its program is skipped with a message.
import fs from 'node:fs'
import { canInstall, install, which } from './lib/debian.mjs'
import { reasonOf } from './lib/reason.mjs'
import { checkNode, ensureBuilt, ensureInstalled } from './lib/state.mjs'
import { runTool } from './lib/tools.mjs'

/** Packages of Debian, by the program that the tests start. */
const PACKAGES = {
  nginx: 'nginx',
  haproxy: 'haproxy',
  caddy: 'caddy',
  pgbouncer: 'pgbouncer',
  promtool: 'prometheus',
  'firefox-esr': 'firefox-esr',
  java: 'default-jre-headless',
}

/**
 * Installs the missing programs if run as root on Debian without systemd, such as in a container.
 * Elsewhere the packages would also start the servers.
 */
async function installPrograms() {
  const names = Object.entries(PACKAGES)
  const found = await Promise.all(names.map(([program]) => which(program)))
  const missing = names.filter((_, i) => !found[i]).map(([, name]) => name)
  const startsServers = fs.existsSync('/run/systemd/system')
  if (missing.length === 0 || startsServers || !(await canInstall())) return
  try {
    // With what Firefox recommends: without it, it plays no videos.
    await install(missing, { recommended: true })
  } catch (error) {
    process.stdout.write(`${reasonOf(error)}\n`)
  }
}

/** Runs a test program; after a failure the others still run. @param {string} bin @param {string[]} args */
async function tests(bin, args) {
  await runTool(bin, args).catch(() => {
    process.exitCode = 1
  })
}

checkNode()
await ensureInstalled()
await ensureBuilt()
await installPrograms()
await tests('vitest', ['run', '--config', 'vitest.parts.config.ts'])
await tests('playwright', [
  'test',
  '--config',
  'playwright.parts.config.ts',
  '--pass-with-no-tests',
])
