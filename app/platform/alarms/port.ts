export const ALARM_CHANNELS = ['webhook', 'telegram', 'email'] as const
export type AlarmChannel = (typeof ALARM_CHANNELS)[number]

/** A message to administrators. Its text contains no secrets, prompts or full phone numbers. */
export type AlarmMessage = {
  /** The same for every try, so that a receiver can drop a second copy. */
  id: string
  /** What it is about. */
  name: string
  state: 'begins' | 'lasts' | 'solved' | 'notice' | 'test'
  text: string
  /** ISO 8601. */
  at: string
}

/** Sends alarms to where administrators read them. Each channel needs a secret of the environment. */
export type AlarmSender = {
  /** The channels whose secrets are set. */
  ready: readonly AlarmChannel[]
  /** Returns why an address must not be called, or null. The name is looked up only when it is called. */
  problemOfAddress(address: string): string | null
  /**
   * Sends a message to a web address, a Telegram chat or an e-mail address. Throws AlarmUndelivered. It
   * may have arrived all the same.
   */
  send(channel: AlarmChannel, target: string, message: AlarmMessage): Promise<void>
}

/** Why a message was not delivered, in words for administrators, without secrets. */
export class AlarmUndelivered extends Error {
  override readonly name = 'AlarmUndelivered'
}
