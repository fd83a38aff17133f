import { ProviderError, type SecretScope } from '../port'

const LONGEST_BEARER = 8_192

/** Returns the error for a clip whose location this provider never gave. */
export function notAnAssetOf(provider: string): ProviderError {
  const fault = { kind: 'permanent', reason: 'protocol' } as const
  return new ProviderError(fault, 'accepted', { message: `not an asset of ${provider}` })
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
