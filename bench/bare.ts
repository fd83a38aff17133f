import { spawn } from 'node:child_process'
import type { Installation } from '../tests/support/installation'

/** A running bare server. */
export type Bare = { url: string; stop: () => Promise<void> }

/** Starts bench/bare-server.ts with one user's rows and one file. */
export async function startBare(
  { env }: Pick<Installation, 'env'>,
  { userId = '', file = '' }: { userId?: string; file?: string },
): Promise<Bare> {
  const args = ['--import', 'tsx', 'bench/bare-server.ts', env.DATABASE_URL ?? '', userId, file]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const message = await new Promise<unknown>((resolve) => child.once('message', resolve))
  const port =
    typeof message === 'object' && message !== null && 'port' in message ? String(message.port) : ''
  return {
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      child.kill()
      await ended
    },
  }
}
