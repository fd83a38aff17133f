/**
 * Loads this page again after a call found that the session had ended. The server then leads to
 * sign-in, says why, and leads back afterwards.
 */
export function goToSignIn(): void {
  window.location.assign(window.location.pathname + window.location.search)
}
