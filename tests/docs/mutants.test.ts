import fs from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { root } from '../../scripts/lib/root.mjs'
import { MUTANTS } from '../mutants/list'
import { withMutants } from '../mutants/schemata'

const files = [...new Set(MUTANTS.map(({ file }) => file))]

// The mutants themselves take an hour (`npm run test:mutants`). A change of the product that one of them
// no longer fits is seen here.
describe('the mutants', () => {
  test.each(files)('of %s change one place each', async (file) => {
    const source = await fs.readFile(path.join(root, file), 'utf8')
    for (const mutant of MUTANTS.filter((one) => one.file === file))
      expect(withMutants(file, source, [mutant])).not.toBe(source)
  })

  test('have names of their own, and tests that exist', async () => {
    const names = MUTANTS.map(({ id }) => id)
    expect(new Set(names).size).toBe(names.length)
    const tests = new Map<string, string>()
    const problems: string[] = []
    for (const {
      id,
      tests: { file, title = '' },
    } of MUTANTS) {
      const text = tests.get(file) ?? (await fs.readFile(path.join(root, file), 'utf8'))
      tests.set(file, text)
      // A title may contain a value, and quotes are written in several ways.
      if (!text.replaceAll('\\', '').includes(title)) problems.push(`${id}: ${file}: ${title}`)
    }
    expect(problems).toEqual([])
  })
})
