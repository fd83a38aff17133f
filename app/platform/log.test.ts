import { expect, test } from 'vitest'
import { createLog } from './log.server'

type Line = { msg: string; repeats?: number; requestId?: string }

function openTestLog() {
  const lines: Line[] = []
  let clock = 0
  const to = { write: (text: string) => void lines.push(JSON.parse(text) as Line) }
  return {
    log: createLog('info', 'test', { to, now: () => clock }),
    lines,
    pass: (ms: number) => (clock += ms),
  }
}

test('a repeated error is written a few times, then counted', () => {
  const { log, lines, pass } = openTestLog()
  for (let i = 0; i < 500; i++)
    log.warn({ err: new Error('no route') }, 'the database is unavailable')
  log.warn({ err: new Error('another') }, 'the database is unavailable')
  expect(lines).toHaveLength(6)
  pass(31_000)
  log.warn({ err: new Error('no route') }, 'the database is unavailable')
  expect(lines.at(-1)).toMatchObject({ msg: 'the database is unavailable', repeats: 495 })
})

test('a line that belongs to a request is always written', () => {
  const { log, lines } = openTestLog()
  for (let i = 0; i < 50; i++) {
    log.error({ err: new Error('same'), requestId: `r${i}` }, 'call failed')
  }
  expect(lines.map(({ requestId }) => requestId)).toContain('r49')
  expect(lines).toHaveLength(50)
})
