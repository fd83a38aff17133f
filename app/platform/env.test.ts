import { expect, test } from 'vitest'
import { readEnv } from './env.server'

const REQUIRED = {
  DATABASE_URL: 'postgresql://localhost/none',
  SESSION_SECRET: 'a'.repeat(32),
  ENCRYPTION_KEY: 'a'.repeat(32),
}
const zone = (PLATFORM_TIMEZONE: string) => readEnv({ ...REQUIRED, PLATFORM_TIMEZONE })

test.each(['UTC', 'Asia/Karachi'])('%s is a time zone', (name) => {
  expect(zone(name)).toMatchObject({ ok: true })
})

// Node 22 accepts offsets, and PostgreSQL reads their sign the other way round.
test.each(['+05:00', '-0300', 'Mars'])('%s is no time zone', (name) => {
  const problem = 'PLATFORM_TIMEZONE must be a time zone such as UTC or Asia/Karachi'
  expect(zone(name)).toEqual({ ok: false, problems: [problem] })
})

test('notifications by e-mail need a mail server; both channels are off at first', () => {
  const on = { ...REQUIRED, USER_EMAIL: 'on' }
  const problem = 'ALARM_SMTP_URL is required with USER_EMAIL=on'
  expect(readEnv(on)).toEqual({ ok: false, problems: [problem] })
  expect(readEnv({ ...on, ALARM_SMTP_URL: 'smtp://mail.example' })).toMatchObject({ ok: true })
  expect(readEnv(REQUIRED)).toMatchObject({ env: { USER_EMAIL: 'off', USER_WEBHOOKS: 'off' } })
})
