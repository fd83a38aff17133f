// `npm run seed`: loads demo data into the installation of this folder (or of DATABASE_URL), whether it
// is running or not.
import { runProgram } from './lib/command.mjs'

await runProgram('seed')
