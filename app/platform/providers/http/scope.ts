import {
  ProviderError,
  type Capabilities,
  type Credential,
  type JobRef,
  type SecretScope,
  type VideoProvider,
} from '../port'

const LONGEST_BEARER = 8_192

/**
 * Returns the provider with a check before every poll and fetch: the credential must belong to the
 * account in which the order was placed, because orders exist only there. Otherwise they reject with
 * ProviderError `unauthorized`, and the credential is not sent.
 */
export function withinAccount<Provider extends VideoProvider>(provider: Provider): Provider {
  return {
    ...provider,
    poll: async (ref, credential, signal) => {
      sameScope(ref, credential)
      return provider.poll(ref, credential, signal)
    },
    fetch: async (job, credential, into) => {
      sameScope(job.ref, credential)
      return provider.fetch(job, credential, into)
    },
  }
}

function sameScope(ref: JobRef, credential: Credential): void {
  if (ref.accountScope === credential.accountScope) return
  const message = `the order belongs to ${ref.accountScope}, the token to ${credential.accountScope}`
  throw new ProviderError({ kind: 'unauthorized' }, 'accepted', { message })
}

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

type Limits = { submitsPerMinute?: number | undefined; maxInFlight?: number | undefined }

/** Returns the limits that the operator has configured for a provider. */
export const limitsOf = ({
  submitsPerMinute,
  maxInFlight,
}: Limits): Pick<Capabilities, 'submitsPerMinute' | 'maxInFlight'> => ({
  ...(submitsPerMinute !== undefined && { submitsPerMinute }),
  ...(maxInFlight !== undefined && { maxInFlight }),
})
