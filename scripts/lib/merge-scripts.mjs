// The compiler creates a separate file for each set of pages that shares a module, so a page loads
// more than fifty. This script merges them into a few smaller ones:
// docs/decisions/0015-few-scripts.md.
import { createHash } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import { rollup } from 'rollup'
import { minify } from 'terser'
import config from '../../remix.config.js'
import { NEXT, NEXT_ASSETS as FOLDER } from './next-build.mjs'
import { sharedWrappers } from './shared-wrappers.mjs'

const SERVER = path.join(NEXT, 'index.js')
const URL_PREFIX = '/build/'
const MANIFEST = /^manifest-\w+\.js$/
const { future = {} } = config
/** The future flags of Remix, and those of its router, which `RemixBrowser` sets from them. */
const FLAGS = /** @type {Record<string, boolean | undefined>} */ ({
  ...future,
  v7_fetcherPersist: future.v3_fetcherPersist,
  v7_normalizeFormMethod: true,
  v7_partialHydration: true,
  v7_prependBasename: true,
  v7_relativeSplatPath: future.v3_relativeSplatPath,
  v7_skipActionErrorRevalidation: future.v3_singleFetch,
  v7_startTransition: true,
})
const FLAG = new RegExp(`[\\w$.]+\\.(${Object.keys(FLAGS).join('|')})\\b`, 'g')
const IN_BROWSER = /typeof (?:window|document)(?![\w$.])/g
const ENTRY = 'entry.client'
const CALLS = 'routes/api+/'

/** @typedef {{ module: string, imports?: string[] | undefined }} Part */
/** @typedef {Part & { parentId?: string }} Route */
/** @typedef {{ entry: Part, routes: Record<string, Route>, version: string, url: string }} Manifest */

/**
 * Replaces the scripts of the new build by a few equivalent ones, and updates their list in the
 * browser's manifest and in the server's bundle. Source maps are stored beside them, but no script
 * refers to its map. Throws if the compiler's output is not as expected.
 */
export async function mergeScripts() {
  const manifest = await readManifest()
  const parts = { [ENTRY]: manifest.entry, ...manifest.routes }
  const input = await withoutTwins(parts)
  const bundle = await rollup({
    input,
    plugins: [sharedWrappers(fileOf), compiled],
    onwarn: refuse,
  })
  const { output } = await bundle.generate({
    format: 'es',
    sourcemap: 'hidden',
    // Hashes do not compress, and the browser's manifest has two hundred. Seven characters are 42 bits, and
    // the least that works with more than 63 files.
    entryFileNames: '[name]-[hash:7].js',
    chunkFileNames: '_shared/[name]-[hash:7].js',
    manualChunks: chunkNames(parts),
    plugins: [minified],
  })
  await bundle.close()
  for (const name of await fs.readdir(FOLDER)) {
    if (name !== '_assets') await fs.rm(path.join(FOLDER, name), { recursive: true })
  }
  for (const file of output) {
    const target = path.join(FOLDER, file.fileName)
    await fs.mkdir(path.dirname(target), { recursive: true })
    await fs.writeFile(target, file.type === 'chunk' ? file.code : file.source)
  }
  await writeManifest(pointTo(manifest, input, output))
}

/** @returns {Promise<Manifest>} */
async function readManifest() {
  const found = (await fs.readdir(FOLDER)).filter((name) => MANIFEST.test(name))
  if (found.length !== 1) throw new Error(`There should be one manifest: ${found.join(', ')}`)
  const text = await fs.readFile(path.join(FOLDER, found[0] ?? ''), 'utf8')
  return JSON.parse(text.slice(text.indexOf('=') + 1, text.lastIndexOf(';')))
}

/**
 * Returns the file of each part. Routes without a screen all have the same empty file, which is used
 * once.
 *
 * @param {Record<string, Part>} parts @returns {Promise<Record<string, string>>}
 */
async function withoutTwins(parts) {
  /** @type {Map<string, string>} */
  const firsts = new Map()
  /** @type {Record<string, string>} */
  const input = {}
  for (const [name, { module }] of Object.entries(parts)) {
    const code = await fs.readFile(fileOf(module), 'utf8')
    const text = code.replace(/\n\/\/# sourceMappingURL=.*/, '')
    if (!firsts.has(text)) firsts.set(text, fileOf(module))
    input[name] = firsts.get(text) ?? ''
  }
  return input
}

/** @param {string} url */
const fileOf = (url) => path.join(FOLDER, url.slice(URL_PREFIX.length))

/**
 * Loads the compiler's output and replaces `typeof window`, `typeof document` and the future flags by
 * their values, so that code for other values can be removed. Each value is padded to the length of
 * what it replaces, so that the source map stays valid.
 *
 * @type {import('rollup').Plugin}
 */
const compiled = {
  name: 'compiled',
  resolveId: (id) => (id.startsWith(URL_PREFIX) ? fileOf(id) : null),
  async load(id) {
    const [code, map] = await Promise.all([
      fs.readFile(id, 'utf8'),
      fs.readFile(`${id}.map`, 'utf8'),
    ])
    const isForms = /node_modules\/@conform-to\//.test(map)
    const settled = code
      .replace(FLAG, (text, flag) => String(FLAGS[flag]).padEnd(text.length))
      .replace(IN_BROWSER, (text) => '"object"'.padEnd(text.length))
    return { code: settled, map: JSON.parse(map), meta: { isForms } }
  },
}

/** @type {import('rollup').OutputPlugin} */
const minified = {
  name: 'minified',
  async renderChunk(code) {
    const options = {
      module: true,
      sourceMap: true,
      ecma: /** @type {const} */ (2020),
      compress: { passes: 4 },
      // The licences are in THIRD_PARTY_NOTICES.
      format: { comments: false },
    }
    const { code: small = '', map } = await minify(code, options)
    return { code: small, map: typeof map === 'string' ? map : null }
  },
}

/** @param {import('rollup').RollupLog} warning */
function refuse(warning) {
  throw new Error(`The scripts could not be merged: ${warning.message}`)
}

/**
 * Assigns each shared module to a file: `base` for those of every page and of the create screen, where
 * nearly all users begin, `on-demand` for those that parts fetched on demand share with each other or
 * with pages that show them at once, then `admin` and `rest`. Conform and what is built on it are apart
 * from these: `forms` is what such parts need, `page-forms` what only pages need. A page fetches its own
 * file, that of the administrators' layout, and at most six shared ones. The root and the users' layout
 * are part of `base`; their own files only pass them on.
 *
 * @param {Record<string, Part>} parts @returns {import('rollup').ManualChunksOption}
 */
function chunkNames(parts) {
  /** @param {string} name */
  const file = (name) => fileOf(parts[name]?.module ?? '')
  const layouts = ['root', 'routes/_user+/_layout'].map(file)
  const first = [ENTRY, 'routes/_admin+/_layout', 'routes/_user+/app'].map(file).concat(layouts)
  return function chunkOf(id, meta) {
    const { getModuleInfo } = meta
    // A shared wrapper stays with what it wraps.
    const wrapped = getModuleInfo(id)?.meta.wraps
    if (wrapped) return chunkOf(wrapped, meta)
    if (layouts.includes(id)) return 'base'
    const info = getModuleInfo(id)
    // A module that only one file imports, or that is loaded on demand, is not moved.
    if (!info || info.isEntry || info.importers.length < 2) return undefined
    /** @param {string[]} files */
    const serves = (...files) => files.some((importer) => info.importers.includes(importer))
    if (serves(...first)) return 'base'
    const isPart = info.importers.some((importer) => isOnDemand(getModuleInfo(importer)))
    if (usesForms(info, getModuleInfo)) return isPart ? 'forms' : 'page-forms'
    if (isPart) return 'on-demand'
    return serves(file('routes/_admin+/admin._index')) ? 'admin' : 'rest'
  }
}

/**
 * @param {import('rollup').ModuleInfo | null} info @param {import('rollup').GetModuleInfo} infoOf
 * @returns {boolean}
 */
const usesForms = (info, infoOf) =>
  info !== null &&
  (info.meta.isForms === true || info.importedIds.some((id) => usesForms(infoOf(id), infoOf)))

/** @param {import('rollup').ModuleInfo | null} info */
const isOnDemand = (info) => info !== null && !info.isEntry && info.dynamicImporters.length > 0

/**
 * Returns the manifest with the new files. A part lists what it needs in addition to its parents.
 *
 * @param {Manifest} manifest @param {Record<string, string>} input
 * @param {(import('rollup').OutputChunk | import('rollup').OutputAsset)[]} output
 * @returns {Manifest}
 */
function pointTo(manifest, input, output) {
  const chunks = output.filter((file) => file.type === 'chunk')
  /** @param {string} name */
  const chunkOf = (name) => {
    const found = chunks.find(({ facadeModuleId }) => facadeModuleId === input[name])
    if (!found) throw new Error(`${name} has no script.`)
    return found
  }
  /** @param {string} name */
  const parentOf = (name) => manifest.routes[name]?.parentId ?? ENTRY
  /** @param {string} name @returns {string[]} */
  const fetchedWith = (name) =>
    name === ENTRY
      ? chunkOf(name).imports
      : [...chunkOf(name).imports, ...fetchedWith(parentOf(name))]
  /** @param {string} name */
  const part = (name) => {
    const known = name === ENTRY ? [] : fetchedWith(parentOf(name))
    const own = chunkOf(name).imports.filter((file) => !known.includes(file))
    return {
      module: URL_PREFIX + chunkOf(name).fileName,
      imports: own.length > 0 ? own.map((file) => URL_PREFIX + file) : undefined,
    }
  }
  const entry = part(ENTRY)
  const routes = Object.fromEntries(
    Object.entries(manifest.routes).map(([id, route]) => [id, { ...route, ...part(id) }]),
  )
  const version = createHash('sha256')
    .update(JSON.stringify({ entry, routes }))
    .digest('hex')
    .slice(0, 8)
  return {
    ...manifest,
    entry,
    routes,
    version,
    url: `${URL_PREFIX}manifest-${version.toUpperCase()}.js`,
  }
}

/**
 * Writes the manifest as a script for browsers, and replaces the one in the server's bundle. The script
 * omits the JSON calls, which the browser's router never loads.
 *
 * @param {Manifest} manifest
 */
async function writeManifest(manifest) {
  const json = JSON.stringify(manifest)
  const pages = Object.entries(manifest.routes).filter(([id]) => !id.startsWith(CALLS))
  const forBrowsers = JSON.stringify({ ...manifest, routes: Object.fromEntries(pages) })
  await fs.writeFile(fileOf(manifest.url), `window.__remixManifest=${forBrowsers};`)
  const text = await fs.readFile(SERVER, 'utf8')
  const pieces = text.split(/(?<=\nvar assets_manifest_default = )\{.*\}(?=;\n)/)
  if (pieces.length !== 2) throw new Error('The bundle of the server does not hold one manifest.')
  await fs.writeFile(SERVER, pieces.join(json))
}
