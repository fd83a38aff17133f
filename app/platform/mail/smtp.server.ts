import { seconds } from '~/lib/time'
import { redact } from '../providers/http/redact'
import { wordsOf } from '../providers/http/wire.server'
import { MailUndelivered, type Mail, type MailSender } from './port'

const PATIENCE_MS = seconds(10)
/** For all steps of one mail together. A server that answers each step slowly holds nobody longer. */
const LONGEST_MS = seconds(30)

export type MailConfig = {
  /** The mail server, such as `smtps://user:password@host:465`. Without it nothing is sent. */
  url: string | undefined
  /** The sender: an address, and the name that is shown beside it. */
  from: string
  fromName: string
}

/** Creates the sender. Connects for each mail. */
export function createMailSender(config: MailConfig): MailSender {
  const { url } = config
  return {
    isReady: url !== undefined,
    send: (mail) =>
      url === undefined
        ? Promise.reject(new MailUndelivered('No mail server is set'))
        : sendBy(url, config, mail),
  }
}

/** A header is one line, whatever a name in it contains. */
const oneLine = (text: string) => text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()

async function sendBy(url: string, { from, fromName }: MailConfig, mail: Mail): Promise<void> {
  // Loaded when it is used: few processes send mail.
  const { createTransport } = await import('nodemailer')
  const waits = {
    connectionTimeout: PATIENCE_MS,
    greetingTimeout: PATIENCE_MS,
    socketTimeout: PATIENCE_MS,
  }
  const transport = createTransport({
    url,
    ...waits,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const sending = transport.sendMail({
    from: { name: oneLine(fromName), address: from },
    // As an object it is one address, also if it contains a comma.
    to: { name: '', address: oneLine(mail.to) },
    subject: oneLine(mail.subject),
    text: mail.text,
    ...(mail.id !== undefined && { messageId: `<${mail.id}@${from.split('@').at(-1) ?? ''}>` }),
  })
  const giveUp = AbortSignal.timeout(LONGEST_MS)
  try {
    await Promise.race([sending, rejectedBy(giveUp)])
  } catch (error) {
    throw new MailUndelivered(`The mail server refused: ${reasonOf(error, url)}`, {
      isFinal: isFinal(error),
    })
  } finally {
    transport.close()
  }
}

const rejectedBy = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('no response in time')), { once: true })
  })

function reasonOf(error: unknown, url: string): string {
  const { username, password } = new URL(url)
  return redact(wordsOf(error).message, [username, password].map(decodeURIComponent))
}

/** A 5xx for the recipient says that there is no such mailbox, or that it takes nothing from us. */
function isFinal(error: unknown): boolean {
  if (!(error instanceof Error) || !('responseCode' in error) || !('command' in error)) return false
  const { responseCode, command } = error
  return command === 'RCPT TO' && Number(responseCode) >= 550
}
