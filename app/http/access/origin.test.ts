import { expect, test } from 'vitest'
import { isOwnSite } from './origin.server'

const PUBLIC = 'reelmill.example'
const host = 'localhost:3000'
const json = { 'content-type': 'application/json' }
const formType = { 'content-type': 'application/x-www-form-urlencoded' }

test.each([
  ['the browser says same-origin', { host, 'sec-fetch-site': 'same-origin' }, true],
  ['the browser says it was typed', { host, 'sec-fetch-site': 'none' }, true],
  ['the browser says cross-site', { host, 'sec-fetch-site': 'cross-site' }, false],
  ['a sister domain', { host, 'sec-fetch-site': 'same-site' }, false],
  [
    'cross-site wins over a matching origin',
    { host, 'sec-fetch-site': 'cross-site', origin: `http://${host}` },
    false,
  ],
  ['origin is this host', { host, origin: `http://${host}` }, true],
  ['origin is the public address', { host, origin: `https://${PUBLIC}` }, true],
  ['origin is another site', { host, origin: 'https://evil.example' }, false],
  ['origin null', { host, origin: 'null' }, false],
  ['referer is this host', { host, referer: `http://${host}/app` }, true],
  ['referer is another site', { host, referer: 'https://evil.example/app' }, false],
  ['none of the three, a form', { host, ...formType }, false],
  ['none of the three, text', { host, 'content-type': 'text/plain' }, false],
  ['none of the three, JSON: a program', { host, ...json }, true],
  ['none of the three, no body', { host }, false],
])('%s', (_name, headers, expected) => {
  expect(isOwnSite(headers, PUBLIC)).toBe(expected)
})
