import { spawn } from 'node:child_process'
import path from 'node:path'

// Starts the writer and never reads its log. Exits when the writer has logged 60 MB, far more than a
// pipe takes. Prints the writer's process id and the size of its heap.

/** After each message the writer logs 100 kB. */
const MESSAGES = 600

const writer = spawn(
  process.execPath,
  ['--import', 'tsx', path.join(import.meta.dirname, 'writer.ts')],
  { stdio: ['ignore', 'pipe', 'ignore', 'ipc'] },
)
let messages = 0
writer.on('message', (message) => {
  messages += 1
  if (messages < MESSAGES) return
  process.stdout.write(JSON.stringify({ pid: writer.pid, message }))
  process.exit(0)
})
