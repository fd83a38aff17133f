import { loginPath } from '~/lib/paths'

/**
 * Goes to the sign-in page after a call found that the session had ended. Sign-in leads back to
 * this page.
 */
export function goToSignIn(): void {
  window.location.assign(loginPath(window.location.pathname + window.location.search))
}
