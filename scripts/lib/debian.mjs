import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { run } from './state.mjs'

const exec = promisify(execFile)

/**
 * @param {string} name
 * @returns {Promise<string | undefined>} the program's path, if it is installed
 */
export async function which(name) {
  const found = await exec('sh', ['-c', `PATH=$PATH:/usr/sbin command -v ${name}`]).catch(
    () => undefined,
  )
  return found?.stdout.trim() || undefined
}

/** Whether packages can be installed: as root, where there is apt. */
export async function canInstall() {
  return process.getuid?.() === 0 && Boolean(await which('apt-get'))
}

/**
 * Installs packages of Debian. Throws an Error with the output of apt if it fails.
 *
 * @param {readonly string[]} packages
 * @param {{ recommended?: boolean }} [options] `recommended`: also what the packages recommend
 */
export async function install(packages, { recommended = false } = {}) {
  process.stdout.write(`Installing ${packages.join(', ')} …\n`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const options = ['-y', '-qq', ...(recommended ? [] : ['--no-install-recommends'])]
  await run('apt-get', ['update', '-qq'], { env })
  await run('apt-get', ['install', ...options, ...packages], { env })
}
