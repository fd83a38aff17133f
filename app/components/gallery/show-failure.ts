import type { Failure } from '~/lib/call-api'
import { goToSignIn } from '../ui/go-to-sign-in'
import { showToast } from '../ui/toasts'

/**
 * Shows the toast of a failed call, with the server's message or else the specification's. If the
 * session has ended, redirects to sign-in, which leads back.
 */
export function showFailure(title: string, { status, message }: Failure, fallback: string): void {
  if (status === 401) return goToSignIn()
  showToast({ kind: 'error', title, description: message ?? fallback })
}
