import type { Body } from '../providers/http/responses'
import { openPublicPost, reasonIn } from '../webhooks/public-post.server'
import type { TelegramSender } from './port'

export type TelegramConfig = {
  /** The bot's. Without it nothing is sent. */
  token: string | undefined
  baseUrl: string
}

/** Creates the sender. Connects when it sends; `stop` closes its connections. */
export function createTelegramSender({
  token,
  baseUrl,
}: TelegramConfig): TelegramSender & { stop(): Promise<void> } {
  const { post, stop } = openPublicPost({ trustedHosts: [new URL(baseUrl).host] })
  return {
    isReady: token !== undefined,
    send: async (chat, text) => {
      if (token === undefined) return { problem: 'No bot is set' }
      const address = new URL(`/bot${token}/sendMessage`, baseUrl).href
      const body = JSON.stringify({ chat_id: chat, text, disable_web_page_preview: true })
      const headers = { 'content-type': 'application/json' }
      const heard = await post(address, { headers, body }, () => true)
      if ('problem' in heard) return heard
      const { status, said } = heard
      if (isTaken(said)) return { status }
      const why = said ? reasonIn(said) : ''
      return { problem: `Telegram answered ${status}${why === '' ? '' : `: ${why}`}` }
    },
    stop,
  }
}

/** Telegram says in the body whether it took a message. */
const isTaken = (said: Body | undefined): boolean =>
  said?.is === 'json' &&
  typeof said.value === 'object' &&
  said.value !== null &&
  'ok' in said.value &&
  said.value.ok === true
