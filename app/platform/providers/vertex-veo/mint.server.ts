import { createHash, createPrivateKey, sign } from 'node:crypto'
import { abortable } from '~/lib/abortable'
import { runningTimeout } from '~/lib/running-time'
import { minutes, seconds } from '~/lib/time'
import {
  acceptanceUnsent,
  jsonOf,
  unreadable,
  type HttpResponse,
  type Reading,
  type Step,
} from '../http/responses'
import { ask } from '../http/ask.server'
import { redact } from '../http/redact'
import type { Wire } from '../http/wire.server'
import type { ProviderIo } from '../io'
import { ProviderError, type Credential } from '../port'
import { readRefusal } from './errors'
import { mintResponse, mintRefusal, serviceAccountKey, type ServiceAccountKey } from './wire'

export type Bearer = {
  token: string
  /** Whether it is from the cache and may have been revoked since. */
  isKept: boolean
}

export type Mint = {
  /**
   * Returns the bearer token for a call: the secret itself, or a token minted from a service-account
   * key. Throws ProviderError, `unauthorized` if Google rejects the key.
   */
  bearerFor(credential: Credential, step: Step, signal: AbortSignal): Promise<Bearer>
  /** Removes this token from the cache if it is still there: the next call mints another. */
  forget(credential: Credential, token: string): Promise<void>
}

type MintConfig = { wire: Wire; tokenUrl: string; io: ProviderIo }
type Minted = { token: string; expiresAt: number }

const SCOPE = 'https://www.googleapis.com/auth/cloud-platform'
const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
const GRANT_SECONDS = 3_600
const SPARE_MS = minutes(5)
const MINT_TIMEOUT_MS = seconds(30)
const MOST_KEPT = 10_000

/** Parses a service-account key. Returns null if the text is not a key that can sign. */
export function parseServiceAccountKey(text: string): ServiceAccountKey | null {
  try {
    const key = serviceAccountKey.parse(JSON.parse(text))
    createPrivateKey(key.private_key)
    return key
  } catch {
    return null
  }
}

/**
 * Creates a cache of minted tokens, until 5 minutes before they expire. Concurrent calls share one
 * minting.
 */
export function openMint(config: MintConfig): Mint {
  const kept = new Map<string, Promise<Minted>>()

  const minted = async (credential: Credential): Promise<Bearer> => {
    const name = nameOf(credential)
    for (let known = kept.get(name); known !== undefined; known = kept.get(name)) {
      const { token, expiresAt } = await known
      if (expiresAt - SPARE_MS > config.io.now()) return { token, isKept: true }
      if (kept.get(name) === known) break
    }
    const minting = mintToken(config, credential)
    if (kept.size >= MOST_KEPT) kept.clear()
    kept.set(name, minting)
    // A failure is not cached: the key may be corrected, or the service available again, at any time.
    minting.catch(() => {
      if (kept.get(name) === minting) kept.delete(name)
    })
    return { token: (await minting).token, isKept: false }
  }

  return {
    async bearerFor(credential, step, signal) {
      if (credential.kind !== 'service-account') {
        return { token: credential.secret.reveal(), isKept: false }
      }
      try {
        // The minting itself continues for other callers.
        return await abortable(
          () => minted(credential),
          signal,
          () => new Error('given up'),
        )
      } catch (error) {
        throw atStep(step, error)
      }
    },
    async forget(credential, token) {
      const name = nameOf(credential)
      const known = kept.get(name)
      const minted = await known?.catch(() => null)
      if (minted?.token === token && kept.get(name) === known) kept.delete(name)
    },
  }
}

function nameOf({ secret }: Credential): string {
  return createHash('sha256').update(secret.reveal()).digest('hex')
}

async function mintToken(
  { wire, tokenUrl, io }: MintConfig,
  credential: Credential,
): Promise<Minted> {
  const key = parseServiceAccountKey(credential.secret.reveal())
  if (key === null)
    throw refused({ message: 'the key cannot be read', fault: { kind: 'unauthorized' } })
  const now = io.now()
  const grant = signedGrant(key, { audience: tokenUrl, now })
  const response = await ask(wire, {
    step: 'check',
    method: 'POST',
    url: new URL(tokenUrl),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ grant_type: GRANT, assertion: grant }).toString(),
    // Not the caller's signal, because other callers wait for the same token.
    signal: runningTimeout(MINT_TIMEOUT_MS),
    secrets: [grant],
  })
  const parsed = mintResponse.safeParse(jsonOf(response))
  if (response.status !== 200 || !parsed.success)
    throw refused(readMintRefusal(response, now), response)
  const { access_token, expires_in } = parsed.data
  return { token: access_token, expiresAt: now + seconds(expires_in) }
}

type Grant = { audience: string; now: number }

function signedGrant(key: ServiceAccountKey, { audience, now }: Grant): string {
  const issued = Math.floor(now / 1000)
  const header = { alg: 'RS256', typ: 'JWT', kid: key.private_key_id }
  const claims = {
    iss: key.client_email,
    scope: SCOPE,
    aud: audience,
    iat: issued,
    exp: issued + GRANT_SECONDS,
  }
  const text = [header, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  return `${text}.${sign('RSA-SHA256', Buffer.from(text), key.private_key).toString('base64url')}`
}

const DEAD_KEY = new Set(['invalid_grant', 'invalid_client', 'unauthorized_client'])

function readMintRefusal(response: HttpResponse, now: number): Reading {
  if (response.status === 200) return unreadable('submit', response)
  const parsed = mintRefusal.safeParse(jsonOf(response))
  if (!parsed.success) return readRefusal('check', response, now)
  const { error, error_description } = parsed.data
  const message = `the key was refused: ${error_description ?? error}`
  if (DEAD_KEY.has(error)) return { fault: { kind: 'unauthorized' }, message, code: error }
  return { ...readRefusal('check', response, now), message, code: error }
}

function refused({ fault, message, code }: Reading, response?: HttpResponse): ProviderError {
  return new ProviderError(fault, 'not-sent', {
    message: redact(message, []),
    ...(code === undefined ? {} : { code: redact(code, []) }),
    ...(response === undefined ? {} : { status: response.status }),
  })
}

/** Returns the error for a call that was not made because there is no token. */
function atStep(step: Step, error: unknown): ProviderError {
  const acceptance = acceptanceUnsent(step)
  if (error instanceof ProviderError) {
    return new ProviderError(error.fault, acceptance, error.evidence)
  }
  return new ProviderError({ kind: 'transient' }, acceptance, { message: 'the call was given up' })
}
