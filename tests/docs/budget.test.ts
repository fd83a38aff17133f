import { expect, test } from 'vitest'
import { documentsOf, readDocument, readRepository } from './documents'

// The size of the house. A feature names the mechanism that it uses, or what it removes; who needs more room
// raises a number here and says why in the commit. Who has removed something lowers it.
const MOST = {
  /** Files of app, jobs, scripts and server.ts, without tests and the renderer. */
  files: 1220,
  lines: 103_250,
  tables: 70,
  settings: 139,
  /** Words of all documents but the changelog. */
  words: 48_100,
  records: 41,
}

const repository = readRepository()
const isProduct = (file: string) =>
  /^(?:(?:app|jobs|scripts)\/.+\.(?:tsx?|mjs|css|sql)|server\.ts)$/.test(file) &&
  !/\.test\.tsx?$/.test(file)
const product = repository.filter(({ file }) => isProduct(file))
const documents = documentsOf(repository).filter(({ file }) => file !== 'CHANGELOG.md')
const matches = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0
const sum = (numbers: number[]) => numbers.reduce((all, one) => all + one, 0)

test('issue 50.14: the house is not larger than agreed', () => {
  const size: typeof MOST = {
    files: product.length,
    lines: sum(product.map(({ text }) => matches(text, /\n/g))),
    tables: matches(readDocument('prisma/schema.prisma'), /^model /gm),
    settings: matches(readDocument('.env.example'), /^#?[A-Z][A-Z0-9_]+=/gm),
    words: sum(documents.map(({ text }) => matches(text, /[\p{L}\p{N}]\S*/gu))),
    records: documents.filter(({ file }) => /^docs\/decisions\/\d/.test(file)).length,
  }
  const grown = Object.entries(size).filter(([name, now]) => now > MOST[name as keyof typeof MOST])
  expect(Object.fromEntries(grown)).toEqual({})
})
