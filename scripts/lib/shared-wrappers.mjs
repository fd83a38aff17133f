// The compiler wraps a CommonJS module, such as React, again in each of its files that imports it. This
// plugin lets them share one wrapper. It saves 1 kB of the create screen's scripts.
import fs from 'node:fs/promises'

const IMPORT = /import\{([^}]+)\}from"([^"]+)"/g
const EXPORT = /export\{([^}]+)\}/
/** `react = toESM(requireReact(), 1)`, or without the 1, and what ends it. */
const WRAPPED = /([\w$]+)=([\w$]+)\(([\w$]+)\(\)(,1)?\)([,;])/g
/** The compiler's helper `toESM`. */
const TO_ESM = /([\w$]+)=\(([\w$]+),[\w$]+,([\w$]+)\)=>\(\3=\2!=null\?/
const PREFIX = '\0wrapper:'

/**
 * Returns the plugin. `fileOf` returns the file of a URL in the compiler's output.
 *
 * @param {(url: string) => string} fileOf @returns {import('rollup').Plugin}
 */
export function sharedWrappers(fileOf) {
  /** @type {Map<string, Promise<string | undefined>>} */
  const helpers = new Map()
  /** @param {string} url */
  const toEsmOf = (url) => {
    if (!helpers.has(url)) helpers.set(url, fs.readFile(fileOf(url), 'utf8').then(exportedToEsm))
    return helpers.get(url)
  }
  return {
    name: 'shared-wrappers',
    resolveId: (id) => (id.startsWith(PREFIX) ? id : null),
    load(id) {
      if (!id.startsWith(PREFIX)) return null
      const [helper, toEsm, module, load, mode] = JSON.parse(id.slice(PREFIX.length))
      const code = `import{${toEsm} as wrap}from"${helper}";import{${load} as load}from"${module}";export const wrapper=wrap(load()${mode})`
      return { code, meta: { wraps: fileOf(module) } }
    },
    async transform(code, id) {
      if (id.startsWith(PREFIX)) return null
      const imports = importsOf(code)
      /** @type {string[]} */
      const shared = []
      let rest = code
      for (const match of code.matchAll(WRAPPED)) {
        const [text, name, wrap = '', load = '', mode = '', end] = match
        const [helper, module] = [imports.get(wrap), imports.get(load)]
        if (!helper || !module || (await toEsmOf(helper.url)) !== helper.name) continue
        const wrapper = JSON.stringify([helper.url, helper.name, module.url, module.name, mode])
        shared.push(`import{wrapper as ${name}}from${JSON.stringify(PREFIX + wrapper)}`)
        rest = withoutVariable(rest, match.index, text.length, end === ';')
      }
      // Imports may stand at the end, where they move nothing.
      return shared.length === 0 ? null : { code: `${rest}\n${shared.join('\n')}`, map: null }
    },
  }
}

/**
 * Returns the code without a variable of a list, which ends with a comma or, the last one, a semicolon.
 * Spaces take its place, so that the source map stays valid.
 *
 * @param {string} code @param {number} start @param {number} length @param {boolean} isLast
 */
function withoutVariable(code, start, length, isLast) {
  const before = code.slice(0, start).trimEnd()
  if (!/(?:,|\bvar)$/.test(before))
    throw new Error(`Not in a list of variables: ${before.slice(-60)}`)
  const isOnly = isLast && before.endsWith('var')
  // The last one takes the comma before it along, and leaves the semicolon.
  const from = isOnly ? before.length - 'var'.length : isLast ? before.length - 1 : start
  const to = start + length - (isLast && !isOnly ? 1 : 0)
  return code.slice(0, from) + ' '.repeat(to - from) + code.slice(to)
}

/**
 * Returns what each imported name stands for.
 *
 * @param {string} code
 */
function importsOf(code) {
  /** @type {Map<string, { url: string, name: string }>} */
  const found = new Map()
  for (const [, names = '', url = ''] of code.matchAll(IMPORT))
    for (const pair of names.split(',')) {
      const [name = '', local = name] = pair.split(' as ')
      found.set(local, { url, name })
    }
  return found
}

/**
 * Returns the name under which a file exports the compiler's `toESM`.
 *
 * @param {string} code
 */
function exportedToEsm(code) {
  const local = TO_ESM.exec(code)?.[1]
  const pairs = (EXPORT.exec(code)?.[1] ?? '').split(',').map((pair) => pair.split(' as '))
  const found = pairs.find(([name]) => name === local)
  return local && (found?.[1] ?? found?.[0])
}
