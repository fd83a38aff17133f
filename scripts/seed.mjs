// `npm run seed`: demo data for the installation of this folder (or DATABASE_URL), running or not.
import { runProgram } from './lib/command.mjs'

await runProgram('seed')
