import { defineRoutes } from '@remix-run/dev/dist/config/routes.js'
import { expect, test } from 'vitest'
import options from '../../remix.config.js'
import { readRepository } from './documents'

test('every page whose data another file reads by its id exists', () => {
  const ids = new Set(Object.keys(options.routes(defineRoutes)))
  const unknown = readRepository()
    .filter(({ file }) => /^app\/.*\.tsx?$/.test(file))
    .flatMap(({ file, text }) =>
      [...text.matchAll(/'(routes\/_[^']+)'/g)].map(([, id = '']) => ({ file, id })),
    )
    .filter(({ id }) => !ids.has(id))
  expect(unknown).toEqual([])
})
