import { boot } from '~/boot/deps.server'
import { findSamePeople } from '~/domain/accounts/same-people.server'
import { minutes } from '~/lib/time'
import { requireEnv } from '~/platform/env.server'

// `npm run same-names`: accounts that belong to one person by the rules of today. Only reads.

function escaped(name: string): string {
  return JSON.stringify(name).replace(
    /[^\x20-\x7e]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

const booted = boot({
  env: requireEnv(process.env),
  name: 'same-names',
  buildDir: import.meta.dirname,
  poolSize: 2,
  connectTimeoutMs: 5000,
  statementTimeoutMs: minutes(1),
})
const say = (text: string) => process.stdout.write(`${text}\n`)
try {
  const groups = await findSamePeople(booted.deps)
  for (const accounts of groups) {
    say('One person:')
    for (const { username, role, plan, createdAt, videos } of accounts) {
      const facts = [role, plan ?? 'no plan', `since ${createdAt.toISOString().slice(0, 10)}`]
      // In quotes and escaped: what makes such names differ is often not to be seen.
      say(`  ${escaped(username)}  ${facts.join(', ')}, videos: ${videos}`)
    }
  }
  say(groups.length === 0 ? 'Every account is another person.' : `Groups: ${groups.length}`)
  if (groups.length > 0) say('Nothing was changed. Delete or disable in User Management.')
} finally {
  await booted.close()
}
