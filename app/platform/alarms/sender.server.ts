import { createHmac } from 'node:crypto'
import { seconds } from '~/lib/time'
import { MailUndelivered, type MailSender } from '../mail/port'
import { checkAddress } from '../providers/http/address.server'
import { readBody } from '../providers/http/json-body.server'
import { redact } from '../providers/http/redact'
import { openWire, type Wire } from '../providers/http/wire.server'
import { AlarmUndelivered, type AlarmChannel, type AlarmMessage, type AlarmSender } from './port'

const PATIENCE_MS = seconds(10)

export type AlarmConfig = {
  productName: string
  webhook: {
    /** Signs what is sent. Without it nothing is sent. */
    secret: string | undefined
    /** Hosts, as `host` or `host:port`, that may use plain http and private addresses. */
    trustedHosts: readonly string[]
  }
  telegram: { token: string | undefined; baseUrl: string }
  mail: MailSender
}

/** Creates the sender. Connects when it sends; `stop` closes its connections. */
export function createAlarmSender(config: AlarmConfig): AlarmSender & { stop(): Promise<void> } {
  const { webhook, telegram, mail } = config
  const service = new URL(telegram.baseUrl)
  const configured = [...webhook.trustedHosts, service.host]
  const wire = openWire({ configured, documented: [] })
  const check = (address: string) => {
    // Any public host will do: the administrator names it.
    const documented = URL.canParse(address) ? [new URL(address).host] : []
    return checkAddress(address, { configured: webhook.trustedHosts, documented })
  }
  const ways: Record<AlarmChannel, (target: string, message: AlarmMessage) => Promise<void>> = {
    webhook: (target, message) => {
      const checked = check(target)
      if (!checked.ok) throw new AlarmUndelivered(`The address is refused: ${checked.reason}`)
      const body = JSON.stringify({ product: config.productName, ...message })
      const headers = signed(webhook.secret ?? '', body)
      return post(wire, { url: checked.url, body, headers })
    },
    telegram: (chat, { text }) => {
      const url = new URL(`/bot${telegram.token ?? ''}/sendMessage`, service)
      const body = JSON.stringify({ chat_id: chat, text, disable_web_page_preview: true })
      return post(wire, { url, body, isTelegram: true })
    },
    email: (to, { text }) => sendMail(mail, to, text),
  }
  const isSet = {
    webhook: webhook.secret !== undefined,
    telegram: telegram.token !== undefined,
    email: mail.isReady,
  }
  const isReady = (channel: AlarmChannel) => isSet[channel]
  return {
    ready: (['webhook', 'telegram', 'email'] as const).filter(isReady),
    problemOfAddress: (address) => {
      const checked = check(address)
      return checked.ok ? null : checked.reason
    },
    send: async (channel, target, message) => {
      if (!isReady(channel)) throw new AlarmUndelivered('Its secret is not set')
      await ways[channel](target, message)
    },
    stop: () => wire.close(),
  }
}

/**
 * Signs a body with the time, so that a receiver can refuse what is old or not ours: HMAC-SHA-256, in
 * hex, of the time in seconds since 1970, a dot and the body.
 */
function signed(secret: string, body: string): Record<string, string> {
  const time = `${Math.floor(Date.now() / 1000)}`
  const signature = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')
  return { 'x-reelmill-time': time, 'x-reelmill-signature': `v1=${signature}` }
}

type Posted = {
  url: URL
  body: string
  headers?: Record<string, string>
  /** Telegram says in the body whether it took the message, and why not. */
  isTelegram?: boolean
}

async function post(wire: Wire, { url, body, headers, isTelegram = false }: Posted): Promise<void> {
  const response = await wire.send({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json', ...headers },
    body,
    signal: AbortSignal.timeout(PATIENCE_MS),
  })
  // Only the host is named: the rest of an address may be a secret.
  if (response.got === 'nothing')
    throw new AlarmUndelivered(`${url.host} did not answer: ${response.code}`)
  try {
    const isTaken = response.status >= 200 && response.status < 300
    if (isTaken && !isTelegram) return
    const answer = isTelegram ? readAnswer(await readBody(response.body)) : NO_ANSWER
    if (isTaken && answer.ok === true) return
    const why = answer.description === '' ? '' : `: ${answer.description}`
    throw new AlarmUndelivered(`${url.host} answered ${response.status}${why}`)
  } finally {
    response.body.destroy()
  }
}

const NO_ANSWER = { ok: undefined, description: '' } as const

/** Returns whether Telegram took a message, and what it says about a refusal, such as an unknown chat. */
function readAnswer(body: Awaited<ReturnType<typeof readBody>>): {
  ok: unknown
  description: string
} {
  if (body.is !== 'json' || typeof body.value !== 'object' || body.value === null) return NO_ANSWER
  const { ok, description } = { ok: undefined, description: undefined, ...body.value }
  return { ok, description: typeof description === 'string' ? redact(description, []) : '' }
}

async function sendMail(mail: MailSender, to: string, text: string): Promise<void> {
  const [subject = ''] = text.split('\n')
  try {
    await mail.send({ to, subject, text })
  } catch (error) {
    throw error instanceof MailUndelivered ? new AlarmUndelivered(error.message) : error
  }
}
