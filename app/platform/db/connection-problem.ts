import { codeOf } from '~/lib/error-facts'
import { isDatabaseUnavailable } from './unavailable'

const CERTIFICATE = 'Check sslmode and sslrootcert in DATABASE_URL (docs/operations/database.md).'
const ADDRESS = 'Check that PostgreSQL runs there, and host and port in DATABASE_URL.'
const FILES = 'Check the files named in DATABASE_URL.'

/** What to do about errors of a connection, by the codes of PostgreSQL, the network and TLS. */
const REMEDIES: Readonly<Record<string, string>> = {
  '28P01': 'Check user and password in DATABASE_URL.',
  '28000': 'Check user and sslmode in DATABASE_URL, and pg_hba.conf of the server.',
  '3D000': 'Create it, or correct its name in DATABASE_URL.',
  '53300': 'Raise max_connections of the server, or end other clients.',
  ECONNREFUSED: ADDRESS,
  EHOSTUNREACH: ADDRESS,
  ENETUNREACH: ADDRESS,
  ETIMEDOUT: ADDRESS,
  EAI_AGAIN: 'Check the host in DATABASE_URL.',
  ENOTFOUND: 'Check the host in DATABASE_URL.',
  ENOENT: FILES,
  EACCES: FILES,
  CERT_HAS_EXPIRED: 'Renew the certificate of the server.',
  DEPTH_ZERO_SELF_SIGNED_CERT: CERTIFICATE,
  ERR_TLS_CERT_ALTNAME_INVALID: CERTIFICATE,
  SELF_SIGNED_CERT_IN_CHAIN: CERTIFICATE,
  UNABLE_TO_GET_ISSUER_CERT: CERTIFICATE,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: CERTIFICATE,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: CERTIFICATE,
}

/** Without a code of its own. */
const NO_TLS = 'The server does not support SSL connections'

function remedyFor(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  if (error.message === NO_TLS) return CERTIFICATE
  return REMEDIES[codeOf(error)]
}

/** Describes an error of a connection for operators, in words that end with what to do. */
export function connectionProblem(error: unknown): string {
  const remedy = remedyFor(error)
  return `The database cannot be used: ${reasonOf(error)}.${remedy ? ` ${remedy}` : ''}`
}

/**
 * Returns whether a connection fails because of a setting, which only the operator can change. A
 * database that is away may come back.
 */
export const isMisconfigured = (error: unknown): boolean =>
  remedyFor(error) !== undefined && !isDatabaseUnavailable(error)

/** An address with several hosts gives an error without a message, only with a code. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.message || ('code' in error ? String(error.code) : error.name)
}
