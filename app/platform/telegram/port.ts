import type { Posted } from '../webhooks/port'

/** Sends texts to chats of Telegram through the operator's bot. */
export type TelegramSender = {
  /** Whether a bot is set. Without one nothing can be sent. */
  isReady: boolean
  /**
   * Hands a text to Telegram within ten seconds. Returns a status if Telegram took it, and otherwise why
   * not, such as an unknown chat; it may have arrived all the same.
   */
  send(chat: string, text: string): Promise<Posted>
}
