import { spawn } from 'node:child_process'
import path from 'node:path'

// Starts the writer, prints its process id, never reads its log, and exits once the pipe is full.

/** After each message the writer logs 100 kB; a pipe takes less than 1 MB. */
const MESSAGES = 30

const writer = spawn(
  process.execPath,
  ['--import', 'tsx', path.join(import.meta.dirname, 'writer.ts')],
  { stdio: ['ignore', 'pipe', 'ignore', 'ipc'] },
)
process.stdout.write(`${writer.pid}\n`)
let messages = 0
writer.on('message', () => {
  messages += 1
  if (messages === MESSAGES) process.exit(0)
})
