import { expect, test } from 'vitest'
import { describedCalls } from '../../app/http/endpoints/calls/table.server'
import { HTTP_STATUS } from '../../app/domain/errors'
import { withCalls } from './api-document'
import { readDocument } from './documents'

const API = readDocument('docs/api.md')

test('the tables and objects are those of the running code (`npm run docs:api` writes them)', async () => {
  expect(await withCalls(API)).toBe(API)
})

test('every call stands in one table', () => {
  const told = [...API.matchAll(/^\| `([A-Z]+ \/\S+)`/gm)].map(([, name]) => name)
  const offered = describedCalls().map(({ name }) => name.replace(/:(\w+)/g, '{$1}'))
  expect(told.toSorted()).toEqual(offered.toSorted())
})

test('every error code is documented with its status', () => {
  const codes = [...API.matchAll(/^\| `([A-Z_]+)` +\| (\d{3})/gm)].map(([, code, status]) => [
    code,
    Number(status),
  ])
  expect(Object.fromEntries(codes)).toEqual(HTTP_STATUS)
})
