// Part of `npm run lint`: checks that every package in the lock file has a hash and comes from the
// registry.
import { readLock } from './lib/shipped.mjs'

const REGISTRY = 'https://registry.npmjs.org/'
/** Builds for other platforms that had no hash in the registry when the lock file was written. */
const WITHOUT_HASH = /^@napi-rs\/webcodecs-(darwin|win32|linux-arm)/

const problems = Object.entries(await readLock()).flatMap(([at, { integrity, resolved, link }]) => {
  const name = at.split('node_modules/').at(-1) ?? at
  const isElsewhere = link === true || (resolved !== undefined && !resolved.startsWith(REGISTRY))
  const isHashed = /^sha(256|384|512)-/.test(integrity ?? '') || WITHOUT_HASH.test(name)
  return [
    ...(isElsewhere ? [`${at} does not come from ${REGISTRY}`] : []),
    ...(isHashed ? [] : [`${at} has no SHA-2 hash`]),
  ]
})
if (problems.length > 0) {
  console.error(`package-lock.json:\n  ${problems.join('\n  ')}`)
  process.exitCode = 1
}
