import type { Credential } from '~/platform/providers/port'

/** Whether a new bearer token is an account of its own, or all tokens of a server are one account. */
type TokenAccounts = 'separate' | 'shared'

type Token = {
  id: string
  kind: Credential['kind']
  /** The server, or the project of a service account. */
  accountScope: string
}

const OWN = '#'
const NAMED = '/'

/**
 * Returns the account of a token: the one that the operator named, else one of its own or the one of
 * the whole server. A service account's is its project, whatever is asked.
 */
export function accountOf(
  { id, kind, accountScope }: Token,
  { name, accounts }: { name?: string | null | undefined; accounts: TokenAccounts },
): string {
  if (kind !== 'static-bearer') return accountScope
  if (name) return `${accountScope}${NAMED}${name}`
  return accounts === 'separate' ? `${accountScope}${OWN}${id}` : accountScope
}

/** Returns the operator's name of an account; null if it is a token's own or that of the whole server. */
export function accountName(account: string, accountScope: string): string | null {
  const start = accountScope + NAMED
  return account.startsWith(start) ? account.slice(start.length) : null
}
