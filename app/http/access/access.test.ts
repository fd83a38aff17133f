import { expect, test } from 'vitest'
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
])('%s is guarded by the entry %s: static before parameters before the rest', (path, entry) => {
  expect(findAccess(path)?.path).toBe(entry)
})

test('a GET route also takes HEAD', () => {
  expect(methodsOf({ GET: 'user', POST: 'user' })).toBe('GET, HEAD, POST')
})
