// `npm run move -- s3|file [--remove-old]`: moves clips between the folder and the bucket. See
// docs/operations/backup.md.
import { runProgram } from './lib/command.mjs'

await runProgram('move-clips')
