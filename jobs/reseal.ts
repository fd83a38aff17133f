import { reseal, SEALED_KINDS } from '~/domain/administration/reseal.server'
import { runProgram, say } from './program'

// `npm run reseal`: re-encrypts all stored secrets with the first key of ENCRYPTION_KEY.

await runProgram('reseal', async ({ deps }) => {
  let unreadable = 0
  for (const kind of SEALED_KINDS) {
    const done = await reseal(deps, kind)
    unreadable += done.unreadable
    say(`${kind}: ${done.count} encrypted with the first key, ${done.unreadable} unreadable`)
  }
  if (unreadable > 0) {
    say(
      'Unreadable values were encrypted with a key that is not in ENCRYPTION_KEY. Add that key and run the command again.',
    )
    process.exitCode = 1
  } else say('Everything is encrypted with the first key. The others may be removed.')
})
