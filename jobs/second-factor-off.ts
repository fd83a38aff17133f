import { switchOffByCommand } from '~/domain/accounts/second-factor-command.server'
import { runProgram, say } from './program'

// `npm run second-factor-off -- NAME`: switches off two-step sign-in for an administrator whose
// device is lost.

const [name = ''] = process.argv.slice(2)
await runProgram('second-factor-off', async ({ deps }) => {
  const { username, wasOn } = await switchOffByCommand(deps, name)
  if (username === null) {
    say(`No account is called ${JSON.stringify(name)}. Nothing was changed.`)
    process.exitCode = 1
  } else if (wasOn) say(`Two-step sign-in is off for ${username}, who was signed out everywhere.`)
  else say(`${username} does not use two-step sign-in. Nothing was changed.`)
})
