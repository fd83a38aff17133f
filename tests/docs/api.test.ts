import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { ACCESS } from '../../app/http/access/access'
import { HTTP_STATUS } from '../../app/domain/errors'
import { readDocument } from './documents'

const API = readDocument('docs/api.md')

/** The calls of the document's tables, spelled like the access table: 'POST /api/x/:id user'. */
const told = [
  ...API.matchAll(/^\| `(GET|POST|PUT|PATCH|DELETE) (\/\S+)`(?: \(\S+\))? +\| (\w+)/gm),
].map(
  ([, method = '', address = '', who = '']) =>
    `${method} ${address.replace(/\{(\w+)\}/g, ':$1')} ${who}`,
)

/** Routes elsewhere than under /api that read and answer JSON. */
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

test('every call is described, with its method and who may use it, and nothing else', () => {
  expect(told.toSorted()).toEqual(offered.toSorted())
})

test('every code of an error is described, with its status', () => {
  const codes = [...API.matchAll(/^\| `([A-Z_]+)` +\| (\d{3})/gm)].map(([, code, status]) => [
    code,
    Number(status),
  ])
  expect(Object.fromEntries(codes)).toEqual(HTTP_STATUS)
})
