// `npm run lint`: format, rules, the order of the modules, unused code, and what is generated.
import { lint } from './lib/lint.mjs'
import { reasonOf } from './lib/reason.mjs'

await lint().catch((error) => {
  process.stderr.write(`\n${reasonOf(error)}\n`)
  process.exitCode = 1
})
