import { codeOf } from '~/lib/error-facts'
import { StorageUnavailable } from './port'

/** Error codes of an unreachable host. Those of TLS errors follow patterns. */
const UNREACHABLE =
  /^(ECONN\w+|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_\w+|EHOST\w+|ENET\w+|EPROTO|ERR_TLS\w*|ERR_SSL\w*|CERT_\w+|DEPTH_ZERO\w*|SELF_SIGNED\w*|UNABLE_TO\w*)$/
const GONE = new Set(['NoSuchKey', 'NotFound'])

/**
 * Returns StorageUnavailable if the bucket is unreachable or rejects the request, else the error
 * itself.
 */
export function s3Error(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof StorageUnavailable) return error
  const isAway = isUnreachable(error) || statusOf(error) !== undefined
  return isAway ? new StorageUnavailable(wordsOf(error)) : error
}

/** Returns whether the bucket reports that there is no object under a key. */
export const isGone = (error: unknown): boolean => error instanceof Error && GONE.has(error.name)

/** Returns whether an established connection was lost. */
export const isLostConnection = (error: unknown): boolean =>
  error instanceof StorageUnavailable && ['ECONNRESET', 'EPIPE'].includes(error.what)

const isUnreachable = (error: Error): boolean =>
  UNREACHABLE.test(codeOf(error)) || error.name === 'TimeoutError'

/** Returns the HTTP status of the response, from the bucket or from a proxy in front of it. */
function statusOf(error: Error): number | undefined {
  const metadata = '$metadata' in error ? error.$metadata : undefined
  if (typeof metadata !== 'object' || metadata === null) return undefined
  const status = 'httpStatusCode' in metadata ? metadata.httpStatusCode : undefined
  return typeof status === 'number' ? status : undefined
}

function wordsOf(error: Error): string {
  const status = statusOf(error)
  const code = codeOf(error) || error.name
  return status === undefined ? code : `${code} (HTTP ${status})`
}
