import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { ACCESS } from '../../app/http/access/access'
import { HTTP_STATUS } from '../../app/domain/errors'
import { readDocument } from './documents'

const API = readDocument('docs/api.md')

/**
 * The calls in the document's tables, in the format of the access table: 'POST /api/x/:id user'.
 */
const told = [
  ...API.matchAll(/^\| `(GET|POST|PUT|PATCH|DELETE) (\/\S+)`(?: \(\S+\))? +\| (\w+)/gm),
].map(
  ([, method = '', address = '', who = '']) =>
    `${method} ${address.replace(/\{(\w+)\}/g, ':$1')} ${who}`,
)

/** Routes outside /api that read and return JSON. */
const jsonResources = fs
  .readdirSync('app/routes/resources+')
  .filter((name) =>
    readDocument(path.join('app/routes/resources+', name)).includes(
      "from '~/http/endpoints/api.server'",
    ),
  )
  .map(
    (name) => `/resources/${name.replace(/\.ts$/, '').replaceAll('.', '/').replaceAll('$', ':')}`,
  )

const offered = Object.entries(ACCESS)
  .filter(([route]) => route.startsWith('/api/') || jsonResources.includes(route))
  .filter(([route]) => !route.endsWith('*'))
  .flatMap(([route, entry]) =>
    Object.entries(entry).map(([method, who]) => `${method} ${route} ${who}`),
  )

test('every call is documented with its method and who may use it, and no others are', () => {
  expect(told.toSorted()).toEqual(offered.toSorted())
})

test('every error code is documented with its status', () => {
  const codes = [...API.matchAll(/^\| `([A-Z_]+)` +\| (\d{3})/gm)].map(([, code, status]) => [
    code,
    Number(status),
  ])
  expect(Object.fromEntries(codes)).toEqual(HTTP_STATUS)
})
