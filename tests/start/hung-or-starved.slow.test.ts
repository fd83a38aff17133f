import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import os from 'node:os'
import { setInterval } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { watchShare } from '../../scripts/lib/processor-share.mjs'
import { createWatch, LOOK_EVERY_MS } from '../../scripts/lib/supervisor.mjs'

// Real processes. Busy loops share one processor with the process that they starve.

const started: ChildProcess[] = []
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL')
})

async function start(program: string) {
  const child = spawn(process.execPath, ['-e', program], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  started.push(child)
  const watch = createWatch(watchShare(child.pid, LOOK_EVERY_MS))
  child.on('message', () => watch.hear())
  await once(child, 'message')
  return { child, watch }
}

/** Makes the other programs of one processor leave a process next to nothing of it. */
function starve({ pid = 0 }: ChildProcess): ChildProcess[] {
  execFileSync('taskset', ['-a', '-c', '-p', '0', String(pid)])
  os.setPriority(pid, os.constants.priority.PRIORITY_LOW)
  const loop = ['-c', '0', 'sh', '-c', 'while :; do :; done']
  const others = Array.from({ length: 6 }, () => spawn('taskset', loop, { stdio: 'ignore' }))
  started.push(...others)
  return others
}

/** Looks as the supervisor does until `isEnough`. Returns whether it would have replaced the process. */
async function look(
  { isSilent }: { isSilent: () => boolean },
  isEnough: (looks: number) => boolean,
) {
  let looks = 0
  for await (const _ of setInterval(LOOK_EVERY_MS)) {
    if (isSilent()) return true
    if (isEnough(++looks)) return false
  }
  return false
}

const never = () => false
const TELLS = `setInterval(() => process.send('alive'), 100); process.send('alive');`

test('A4: a process that is busy for good is replaced, and so is one that is stopped', async () => {
  const busy = await start(`${TELLS} setTimeout(() => { for (;;); }, 200)`)
  expect(await look(busy.watch, never)).toBe(true)
  const stopped = await start(TELLS)
  stopped.child.kill('SIGSTOP')
  expect(await look(stopped.watch, never)).toBe(true)
})

test.runIf(process.platform === 'linux')(
  'A4: a process that the machine does not let run is not replaced, and answers late',
  async () => {
    const { child, watch } = await start(WORKS)
    const others = starve(child)
    let heard = 0
    child.on('message', () => heard++)
    // Twice as long as one may be silent that can run.
    expect(await look(watch, (looks) => looks >= 20)).toBe(false)
    const before = heard
    for (const other of others) other.kill('SIGKILL')
    expect(await look(watch, () => heard > before)).toBe(false)
  },
)

/** Between two messages it has work for 0.3 s of processor time. */
const WORKS = `
  process.send('alive');
  setInterval(() => {
    const start = process.cpuUsage();
    while (process.cpuUsage(start).user < 300_000);
    process.send('alive');
  })`
