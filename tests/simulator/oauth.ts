import { createVerify, generateKeyPairSync, type KeyObject } from 'node:crypto'
import type { Incoming, Reply } from './exchange'
import type { Simulation } from './simulation'

export type Minted = { project: string; expiresAt: number; withdrawn: boolean }

/** Service accounts and the tokens issued for them. */
export type Mints = {
  /** Returns a key file, as Google issues it, of a service account in this project. */
  keyFile(project: string): string
  find(token: string): Minted | undefined
  /** Invalidates every token issued so far. */
  withdraw(): void
  issue(project: string, expiresAt: number): string
  publicKey(): KeyObject
  count(): number
}

const EMAIL = /^simulator@([a-z0-9.:-]+)\.iam\.gserviceaccount\.com$/

export function openMints(): Mints {
  const minted = new Map<string, Minted>()
  let pair: { publicKey: KeyObject; privateKey: KeyObject } | undefined
  const keys = () => (pair ??= generateKeyPairSync('rsa', { modulusLength: 2048 }))
  return {
    keyFile: (project) =>
      JSON.stringify({
        type: 'service_account',
        project_id: project,
        private_key_id: 'simulator',
        private_key: keys().privateKey.export({ type: 'pkcs8', format: 'pem' }),
        client_email: `simulator@${project}.iam.gserviceaccount.com`,
        // Must never be used: the operator decides where keys are sent.
        token_uri: 'http://169.254.169.254/token',
      }),
    find: (token) => minted.get(token),
    withdraw: () => {
      for (const token of minted.values()) token.withdrawn = true
    },
    issue(project, expiresAt) {
      const token = `ya29.simulator-${minted.size + 1}`
      minted.set(token, { project, expiresAt, withdrawn: false })
      return token
    },
    publicKey: () => keys().publicKey,
    count: () => minted.size,
  }
}

const replyWith = (status: number, body: object): Reply => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8' },
  body: Buffer.from(JSON.stringify(body, null, 2)),
})
const refuse = (error: string, description: string): Reply =>
  replyWith(400, { error, error_description: description })

/** `POST /token`: exchanges a signed grant for an access token. */
export function mintToken(simulation: Simulation, incoming: Incoming, audience: string): Reply {
  const form = new URLSearchParams(incoming.body.toString('utf8'))
  if (form.get('grant_type') !== 'urn:ietf:params:oauth:grant-type:jwt-bearer') {
    return refuse('unsupported_grant_type', 'Invalid grant_type')
  }
  const [head = '', claims = '', signature = ''] = (form.get('assertion') ?? '').split('.')
  const verify = createVerify('RSA-SHA256').update(`${head}.${claims}`)
  if (!verify.verify(simulation.mints.publicKey(), signature, 'base64url')) {
    return refuse('invalid_grant', 'Invalid JWT Signature.')
  }
  const header = decode(head)
  const claim = decode(claims)
  if (header.alg !== 'RS256') return refuse('invalid_grant', 'Invalid JWT algorithm.')
  if (claim.aud !== audience) return refuse('invalid_grant', 'Invalid audience.')
  const project = EMAIL.exec(String(claim.iss))?.[1]
  if (project === undefined) return refuse('invalid_grant', 'Invalid grant: account not found')
  const now = simulation.clock.now() / 1000
  const isShort = Number(claim.exp) - Number(claim.iat) <= 3_600
  if (!isShort || Number(claim.iat) > now + 60 || Number(claim.exp) < now) {
    return refuse(
      'invalid_grant',
      'Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe.',
    )
  }
  if (!String(claim.scope).includes('https://www.googleapis.com/auth/cloud-platform')) {
    return refuse('invalid_scope', 'Invalid OAuth scope or ID token audience provided.')
  }
  const { expiresIn } = simulation.scenario.defaults
  return replyWith(200, {
    access_token: simulation.mints.issue(project, simulation.clock.now() + expiresIn * 1000),
    expires_in: expiresIn,
    token_type: 'Bearer',
  })
}

function decode(part: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(part, 'base64url').toString('utf8')) as Record<string, unknown>
}
