// `npm run same-names`: lists accounts that belong to one person; changes none of them.
import { runProgram } from './lib/command.mjs'

await runProgram('same-names')
