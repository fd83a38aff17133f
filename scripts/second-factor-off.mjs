// `npm run second-factor-off -- NAME`: switches two-step sign-in off for one account.
import { runProgram } from './lib/command.mjs'

await runProgram('second-factor-off')
