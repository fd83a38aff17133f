import { loginPath } from '~/lib/paths'

/** Leaves for the sign-in page after a call found the session ended; it leads back to this page. */
export function goToSignIn(): void {
  window.location.assign(loginPath(window.location.pathname + window.location.search))
}
