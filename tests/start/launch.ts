import { spawn, type ChildProcess } from 'node:child_process'

export type Started = {
  child: ChildProcess
  output: () => string
  ended: Promise<number | null>
  url: string
}

/** What `npm start` runs, without npm. */
export const START = [process.execPath, 'scripts/start.mjs']

/** Starts a program with these settings only. */
export function launch(env: Record<string, string>, [program = '', ...args] = START): Started {
  const { PATH, HOME } = process.env
  const child = spawn(program, args, {
    env: { NODE_ENV: 'production', PATH, HOME, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text: Buffer) => (printed += text.toString()))
  }
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  return { child, output: () => printed, ended, url: `http://127.0.0.1:${env.PORT ?? ''}` }
}
