import { expect, test } from 'vitest'
import { paths } from '~/lib/paths'
import { findAccess, methodsOf } from './access'

test.each([
  ['/', '/'],
  ['/app', '/app'],
  ['/app/', '/app'],
  ['/api/videos/changes', '/api/videos/changes'],
  ['/api/videos/generate', '/api/videos/generate'],
  ['/api/videos/0192/status', '/api/videos/:videoId/status'],
  ['/api/nothing/here', '/api/*'],
  ['/nope', '/*'],
  ['/media/x.mp4', '/media/:file'],
])(
  'the most specific entry (static, parameter, rest) guards a path: %s has the entry %s',
  (path, entry) => {
    expect(findAccess(path)?.path).toBe(entry)
  },
)

test.each(Object.entries(paths.api))('paths.api.%s is the address of a call', (_, path) => {
  const address = typeof path === 'string' ? path : path('0192')
  const { pathname } = new URL(address, 'http://product')
  expect(findAccess(pathname)?.path).toMatch(/^\/api\/[^*]+$/)
})

test('a GET route also accepts HEAD', () => {
  expect(methodsOf({ GET: 'user', POST: 'user' })).toBe('GET, HEAD, POST')
})
