// `npm run icons` writes app/components/ui/icons.svg: one symbol for each name in icon-names.ts, with
// its shape from Lucide. With --check it compares, and also fails if a name is not used.
import fs from 'node:fs/promises'
import path from 'node:path'
import { root } from './lib/root.mjs'

const FOLDER = path.join(root, 'app/components/ui')
const FILE = path.join(FOLDER, 'icons.svg')
const NAMES = path.join(FOLDER, 'icon-names.ts')
// A symbol does not inherit from its file, only from the place that uses it.
const STROKE =
  'viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"'

const names = quoted(await fs.readFile(NAMES, 'utf8'))
const symbols = await Promise.all(names.map(symbol))
const sprite = [
  '<svg xmlns="http://www.w3.org/2000/svg">',
  '<!-- Lucide (https://lucide.dev), ISC licence: THIRD_PARTY_NOTICES -->',
  ...symbols,
  '</svg>\n',
].join('\n')

if (process.argv.includes('--check')) await check()
else await fs.writeFile(FILE, sprite)

/** @param {string} name */
async function symbol(name) {
  const { __iconNode: shapes } = await import(`lucide-react/dist/esm/icons/${name}.js`)
  const parts = shapes.map(
    /** @param {[string, Record<string, string>]} shape */
    ([tag, { key: _, ...attributes }]) => {
      const pairs = Object.entries(attributes).map(([at, value]) => ` ${at}="${value}"`)
      return `<${tag}${pairs.join('')}/>`
    },
  )
  return `<symbol id="${name}" ${STROKE}>${parts.join('')}</symbol>`
}

/** @param {string} code */
function quoted(code) {
  return Array.from(code.matchAll(/['"]([a-z][a-z0-9-]*)['"]/g), ([, name = '']) => name)
}

async function check() {
  const files = (await fs.readdir(path.join(root, 'app'), { recursive: true }))
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => path.join(root, 'app', file))
    .filter((file) => file !== NAMES)
  const used = new Set(
    (await Promise.all(files.map((file) => fs.readFile(file, 'utf8')))).flatMap(quoted),
  )
  const problems = names.filter((name) => !used.has(name)).map((name) => `${name} is not used.`)
  if ((await fs.readFile(FILE, 'utf8')) !== sprite) problems.push('Run `npm run icons`.')
  for (const problem of problems) process.stderr.write(`icons: ${problem}\n`)
  if (problems.length > 0) process.exitCode = 1
}
