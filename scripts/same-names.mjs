// `npm run same-names`: lists accounts whose names are the same under today's rules. Read-only.
import { runProgram } from './lib/command.mjs'

await runProgram('same-names')
