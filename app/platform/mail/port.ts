/** A plain message to one address. */
export type Mail = {
  to: string
  /** Shown on one line: control characters in it become spaces. */
  subject: string
  text: string
  /** The same for every try, so that a mailbox can drop a second copy. Without it each has its own. */
  id?: string
}

/** Sends mails through the operator's mail server. */
export type MailSender = {
  /** Whether a mail server is set. Without one nothing can be sent. */
  isReady: boolean
  /** Hands a mail to the mail server. Throws MailUndelivered. It may have arrived all the same. */
  send(mail: Mail): Promise<void>
}

/** Why a mail was not delivered, in words, without secrets. */
export class MailUndelivered extends Error {
  override readonly name = 'MailUndelivered'
  /** Whether another try would be refused as well, such as for an address that does not exist. */
  readonly isFinal: boolean
  constructor(message: string, { isFinal = false } = {}) {
    super(message)
    this.isFinal = isFinal
  }
}
