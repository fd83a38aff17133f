import { bearerScope } from '../http/scope'
import type { SecretScope } from '../port'
import { parseServiceAccountKey } from './mint.server'
import { scopeText, type Account } from './requests'

/**
 * Which Google account a pasted secret opens. A service-account key belongs to the project it was
 * made in; a bearer token says nothing about itself and belongs to the configured one.
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
