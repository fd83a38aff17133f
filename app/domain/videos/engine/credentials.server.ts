import { Secret, type Credential } from '~/platform/providers/port'
import type { HeldAttempt } from './context'

/** The way into the provider for an attempt. The built-in renderer needs none. */
export function credentialFor({ accountScope }: HeldAttempt): Credential {
  return { id: 'none', accountScope, kind: 'none', secret: new Secret('') }
}
