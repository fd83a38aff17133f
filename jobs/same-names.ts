import { findSamePeople } from '~/domain/accounts/same-people.server'
import { runProgram, say } from './program'

// `npm run same-names`: lists accounts whose names are the same under today's rules. Read-only.

function escaped(name: string): string {
  return JSON.stringify(name).replace(
    /[^\x20-\x7e]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

await runProgram('same-names', async ({ deps }) => {
  const groups = await findSamePeople(deps)
  for (const accounts of groups) {
    say('One person:')
    for (const { username, role, plan, createdAt, videos } of accounts) {
      const facts = [role, plan ?? 'no plan', `since ${createdAt.toISOString().slice(0, 10)}`]
      // Quoted and escaped, because the difference between such names is often invisible.
      say(`  ${escaped(username)}  ${facts.join(', ')}, videos: ${videos}`)
    }
  }
  say(
    groups.length === 0
      ? 'Every account belongs to a different person.'
      : `Groups: ${groups.length}`,
  )
  if (groups.length > 0)
    say('Nothing was changed. Delete or disable the surplus accounts in User Management.')
})
