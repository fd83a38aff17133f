// `npm run reseal`: re-encrypts tokens and second factors with the first key of ENCRYPTION_KEY.
import { runProgram } from './lib/command.mjs'

await runProgram('reseal')
