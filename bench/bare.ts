import { spawn, type ChildProcess } from 'node:child_process'
import type { Installation } from '../tests/support/installation'

/** A running bare server. */
export type Bare = { url: string; child: ChildProcess; stop: () => Promise<void> }

/** Starts bench/bare-server.ts with one user's rows, one file and the provider's address. */
export async function startBare(
  { env }: Pick<Installation, 'env'>,
  { userId = '', file = '', orders = '' }: { userId?: string; file?: string; orders?: string },
): Promise<Bare> {
  const given = [env.DATABASE_URL ?? '', userId, file, orders]
  const args = ['--import', 'tsx', 'bench/bare-server.ts', ...given]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const message = await new Promise<unknown>((resolve) => child.once('message', resolve))
  const port =
    typeof message === 'object' && message !== null && 'port' in message ? String(message.port) : ''
  return {
    url: `http://127.0.0.1:${port}`,
    child,
    stop: async () => {
      child.kill()
      await ended
    },
  }
}
