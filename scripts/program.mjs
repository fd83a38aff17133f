// `node scripts/program.mjs NAME …`: runs a built program of jobs on the installation of this folder (or of
// DATABASE_URL), whether the product is running or not: move-clips, reseal, same-names, second-factor-off, seed.
import { runProgram } from './lib/command.mjs'

await runProgram()
