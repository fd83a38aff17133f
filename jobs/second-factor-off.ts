import { boot } from '~/boot/deps.server'
import { switchOffByCommand } from '~/domain/accounts/second-factor-command.server'
import { requireEnv } from '~/platform/env.server'

// `npm run second-factor-off -- NAME`: switches off two-step sign-in for an administrator whose
// device is lost.

const [name = ''] = process.argv.slice(2)
const booted = boot({
  env: requireEnv(process.env),
  name: 'second-factor-off',
  buildDir: import.meta.dirname,
  poolSize: 1,
  connectTimeoutMs: 5000,
  statementTimeoutMs: 5000,
})
const say = (text: string) => process.stdout.write(`${text}\n`)
try {
  const { username, wasOn } = await switchOffByCommand(booted.deps, name)
  if (username === null) {
    say(`No account is called ${JSON.stringify(name)}. Nothing was changed.`)
    process.exitCode = 1
  } else if (wasOn) say(`Two-step sign-in is off for ${username}, who was signed out everywhere.`)
  else say(`${username} does not use two-step sign-in. Nothing was changed.`)
} finally {
  await booted.close()
}
