import {
  ProviderError,
  type Capabilities,
  type Credential,
  type JobRef,
  type SecretScope,
} from '../port'

const LONGEST_BEARER = 8_192

/**
 * Checks that a credential belongs to the account in which the order was placed: orders exist only
 * there. Throws ProviderError `unauthorized` otherwise, before the credential is sent.
 */
export function sameScope(ref: JobRef, credential: Credential): void {
  if (ref.accountScope === credential.accountScope) return
  const message = `the order belongs to ${ref.accountScope}, the token to ${credential.accountScope}`
  throw new ProviderError({ kind: 'unauthorized' }, 'accepted', { message })
}

/** Returns why a text cannot be a bearer token, in words, or null if it can. */
export function bearerProblem(secret: string): string | null {
  if (secret === '') return 'The token is empty.'
  if (/^bearer\s/i.test(secret)) return 'Paste the token alone, without the word Bearer.'
  if (secret.length > LONGEST_BEARER) return 'This is too long to be a token.'
  if (!/^[\x21-\x7e]+$/.test(secret)) return 'A token has no spaces and no special letters.'
  return null
}

/**
 * Returns the scope of a pasted bearer token. The caller names the account: the token does not
 * contain it.
 */
export function bearerScope(text: string, accountScope: string): SecretScope {
  const problem = bearerProblem(text.trim())
  if (problem !== null) return { ok: false, problem }
  return { ok: true, accountScope, kind: 'static-bearer' }
}

type Limits = { submitsPerMinute?: number | undefined; maxInFlight?: number | undefined }

/** Returns the limits that the operator has configured for a provider. */
export const limitsOf = ({
  submitsPerMinute,
  maxInFlight,
}: Limits): Pick<Capabilities, 'submitsPerMinute' | 'maxInFlight'> => ({
  ...(submitsPerMinute !== undefined && { submitsPerMinute }),
  ...(maxInFlight !== undefined && { maxInFlight }),
})
