import { boot } from '~/boot/deps.server'
import { reseal, SEALED_KINDS } from '~/domain/reseal.server'
import { minutes } from '~/lib/time'
import { requireEnv } from '~/platform/env.server'

// `npm run reseal`: re-encrypts all stored secrets with the first key of ENCRYPTION_KEY.

const booted = boot({
  env: requireEnv(process.env),
  name: 'reseal',
  buildDir: import.meta.dirname,
  poolSize: 1,
  connectTimeoutMs: 5000,
  statementTimeoutMs: minutes(1),
})
const say = (text: string) => process.stdout.write(`${text}\n`)
try {
  let unreadable = 0
  for (const kind of SEALED_KINDS) {
    const done = await reseal(booted.deps, kind)
    unreadable += done.unreadable
    say(`${kind}: ${done.count} encrypted with the first key, ${done.unreadable} unreadable`)
  }
  if (unreadable > 0) {
    say(
      'No key of ENCRYPTION_KEY opens what is unreadable. Add the key it was saved with, run again.',
    )
    process.exitCode = 1
  } else say('Everything is encrypted with the first key. The others may be removed.')
} finally {
  await booted.close()
}
