import { bearerScope } from '../http/scope'
import type { SecretScope } from '../port'
import { parseServiceAccountKey } from './mint.server'
import { scopeText, type Account } from './account'

/**
 * Returns the Google account of a pasted secret. A service-account key names its project; a bearer
 * token does not, so it gets the configured one.
 */
export function secretScope({ project, location }: Account, text: string): SecretScope {
  const secret = text.trim()
  if (secret.startsWith('{')) {
    const key = parseServiceAccountKey(secret)
    if (key === null)
      return { ok: false, problem: 'This is not a usable service-account key file.' }
    const accountScope = scopeText({ project: key.project_id, location })
    return { ok: true, accountScope, kind: 'service-account' }
  }
  if (secret.startsWith('AIza')) {
    const problem = 'Vertex AI takes no API keys: paste an access token or a service-account key.'
    return { ok: false, problem }
  }
  return bearerScope(secret, scopeText({ project, location }))
}
