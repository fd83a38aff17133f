import { expect, test } from 'vitest'
import { RIGHTS, type Right } from '~/domain/context'
import { paths } from '~/lib/paths'
import { ACCESS, findAccess, mayEnter, methodsOf } from './access'

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

/** What an editor reaches by rights, and nothing else. */
const BY_RIGHT: Readonly<Record<string, (rights: readonly Right[]) => boolean>> = {
  '/helper': (rights) => rights.length > 0,
  '/admin/confirm': (rights) => rights.length > 0,
  '/admin/prompts': (rights) => rights.includes('prompts'),
  '/admin/codes': (rights) => rights.includes('codes'),
}
const COMBINATIONS = Array.from({ length: 2 ** RIGHTS.length }, (_, bits) =>
  RIGHTS.filter((_right, i) => (bits & (1 << i)) !== 0),
)

test('every page and call with every combination of rights: 0 wrong cells', () => {
  const cells = Object.entries(ACCESS).flatMap(([path, entry]) =>
    Object.entries(entry).map(([method, principal]) => ({ path, method, principal })),
  )
  const isForAll = (principal: string) => ['anyone', 'user', 'program'].includes(principal)
  const wrong = cells.flatMap(({ path, method, principal }) => {
    return COMBINATIONS.filter((rights) => {
      const isOpen = isForAll(principal) || (BY_RIGHT[path]?.(rights) ?? false)
      return mayEnter(principal, { role: 'editor', rights }) !== isOpen
    }).map((rights) => `${method} ${path}: ${rights.join('+')}`)
  })
  expect(wrong).toEqual([])
  // All that administrators do is theirs alone, apart from these.
  const forAll = cells.filter(({ principal }) => isForAll(principal))
  expect(forAll.filter(({ path }) => /^(\/api)?\/(admin|helper)\b/.test(path))).toEqual([])
})
