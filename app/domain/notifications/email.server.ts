import { createHash, randomBytes } from 'node:crypto'
import sql from 'sql-template-tag'
import type { Executor } from '~/platform/db/port'
import { MailUndelivered } from '~/platform/mail/port'
import { giveTriesBack, takeAll, type Try } from '../accounts/tries.server'
import type { Ctx, UserCtx } from '../context'
import { AppError } from '../errors'
import { confirmMessage } from './messages'
import { NOTIFICATION_LIMITS } from './rules'
import { requireOffered } from './targets.server'

const hashOf = (token: string) => createHash('sha256').update(token).digest()

/** Enough of a user name for its owner to recognise it, and too little for anybody else. */
const maskOf = (username: string) => `…${username.slice(-4)}`

const TOO_MANY = `An address gets at most ${NOTIFICATION_LIMITS.linksPerDay} links in a day. Try again tomorrow.`

/**
 * Sends a link to an address that confirms it for the actor. Until it is confirmed, notifications go to the
 * address before. A new link ends the one before. Throws FORBIDDEN if the operator does not offer e-mail, BAD_INPUT
 * if this address is confirmed already, RATE_LIMITED, and CONFLICT if the mail server refused.
 */
export async function askForEmail(ctx: UserCtx, { email }: { email: string }): Promise<void> {
  const { db, actor, throttles } = ctx
  requireOffered(ctx, 'email')
  await refuseConfirmed(ctx, email)
  const tries: Try[] = [
    [throttles.notificationMailByUser, actor.id],
    [throttles.notificationMailByAddress, email.toLowerCase()],
  ]
  await takeAll(tries, () => TOO_MANY)
  const token = randomBytes(32).toString('base64url')
  await db.run(sql`
    insert into notification_emails (user_id, asked_address, token_hash, token_until)
    values (${actor.id}, ${email}, ${hashOf(token)},
      engine_now() + make_interval(hours => ${NOTIFICATION_LIMITS.linkHours}))
    on conflict (user_id) do update set asked_address = excluded.asked_address,
      token_hash = excluded.token_hash, token_until = excluded.token_until`)
  try {
    await sendLink(ctx, email, token)
  } catch (error) {
    await forgetLink(db, token)
    await giveTriesBack(tries)
    if (!(error instanceof MailUndelivered)) throw error
    // The mail server's own words are for the operator.
    ctx.log.warn({ err: error }, 'a link to confirm an address was not sent')
    const words = error.isFinal
      ? 'The mail server refused this address. Check it for a typing error.'
      : 'The mail server did not take the message. Try again in a few minutes.'
    throw new AppError('CONFLICT', words)
  }
}

async function refuseConfirmed({ db, actor }: UserCtx, email: string): Promise<void> {
  const known = await db.row(sql`
    select 1 from notification_emails where user_id = ${actor.id} and address = ${email}`)
  if (!known) return
  const problem = 'This address is confirmed already'
  throw new AppError('BAD_INPUT', problem, { fields: { email: [problem] } })
}

function sendLink({ mail, settings, actor }: UserCtx, to: string, token: string): Promise<void> {
  const account = maskOf(actor.username)
  const { title, body } = confirmMessage(settings, {
    account,
    token,
    hours: NOTIFICATION_LIMITS.linkHours,
  })
  return mail.send({ to, subject: title, text: body })
}

/** Forgets a link that did not leave. */
async function forgetLink(db: Executor, token: string): Promise<void> {
  await db.run(sql`
    delete from notification_emails where token_hash = ${hashOf(token)} and address is null`)
  await db.run(sql`
    update notification_emails set asked_address = null, token_hash = null, token_until = null
    where token_hash = ${hashOf(token)}`)
}

const isOpen = sql`token_until > engine_now() and exists (select from users
  where users.id = user_id and is_active and deleted_at is null)`

/** Returns the address and the account that a link is about, or null if it was used or is too old. */
export async function findEmailLink(
  { db }: Pick<Ctx, 'db'>,
  token: string,
): Promise<{ address: string; account: string } | null> {
  const row = await db.row<{ address: string | null; username: string }>(sql`
    select asked_address as address, username from notification_emails join users on users.id = user_id
    where token_hash = ${hashOf(token)} and ${isOpen}`)
  return row?.address ? { address: row.address, account: maskOf(row.username) } : null
}

/** Confirms the address to which a link was sent. Works once. Throws CONFLICT if the link is no longer valid. */
export async function confirmEmail(
  { db }: Pick<Ctx, 'db'>,
  { token }: { token: string },
): Promise<void> {
  const count = await db.run(sql`
    update notification_emails set address = asked_address, asked_address = null, token_hash = null,
      token_until = null
    where token_hash = ${hashOf(token)} and ${isOpen}`)
  if (count === 0) throw new AppError('CONFLICT', EMAIL_LINK_IS_OVER)
}

export const EMAIL_LINK_IS_OVER =
  'This link was used or is too old. Ask for a new one on the page of your account.'
