import { expect, test } from 'vitest'
import { readRepository } from './documents'

const source = readRepository().filter(({ file }) => /^app\/.*(?<!\.test)\.tsx?$/.test(file))
const texts = (pattern: RegExp) =>
  source.filter(({ file }) => pattern.test(file)).map(({ text }) => text)

test('issue 50.6: every page with forms sends them with the one sender', () => {
  const without = source.filter(
    ({ file, text }) =>
      /^app\/routes\/_(?:user|admin)\+\//.test(file) &&
      /\b(?:handleForm|runPanel)\(/.test(text) &&
      !/\bexport (?:\{[^}]*\bclientAction\b|async function clientAction\b)/.test(text),
  )
  expect(without.map(({ file }) => file)).toEqual([])
})

test('issue 50.6: what a form says when no response comes is what its handler says of a failure', () => {
  const declared = texts(/^app\/components\//).flatMap((text) =>
    [
      ...text.matchAll(
        /(?:\bfailed(?:=\{?\[?|: )|\bfailedHere\(|: \[(?='[^']+', 'Failed ))["']([A-Z][^"']+ [^"']+)["']/g,
      ),
    ].map(([, title]) => title),
  )
  const handlers = texts(/^app\/(?:http|routes|domain\/accounts)\//).join('\n')
  expect(declared.length).toBeGreaterThan(15)
  expect(declared.filter((title) => !handlers.includes(`'${title}'`))).toEqual([])
})
