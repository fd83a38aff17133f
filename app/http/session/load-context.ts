import type { KnownDevice } from '~/domain/context'
import type { SignedIn } from '~/domain/accounts/sessions.server'

/**
 * Who is signed in. One who is held back is an administrator without the second factor that the settings
 * ask for: `account.role` is then that of a user, so that nothing can take them for one.
 */
export type Visitor = SignedIn & { token: string; isHeldBack: boolean }

/** What the guard found out about a request, for loaders and actions. */
export type LoadContext = {
  requestId: string
  /** For the Content-Security-Policy of this answer. */
  nonce: string
  /** The client's network address, for throttles. */
  address: string
  /** The browser, where an account was signed in in it before. */
  device: KnownDevice | null
  visitor: Visitor | null
  /** Set when the database did not answer while the page was made: the page becomes a 503. */
  failure: { unavailable: boolean }
}

declare module '@remix-run/node' {
  // eslint-disable-next-line @typescript-eslint/consistent-type-definitions, @typescript-eslint/no-empty-object-type -- merging needs an interface
  interface AppLoadContext extends LoadContext {}
}
