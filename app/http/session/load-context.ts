import type { Program } from '~/domain/accounts/api-keys.server'
import type { Account } from '~/domain/accounts/types'
import type { KnownDevice } from '~/domain/context'
import type { SignedIn } from '~/domain/accounts/sessions.server'

/**
 * The signed-in user. `isHeldBack` marks an administrator who lacks the second factor that the
 * settings require. Their `account.role` is then `user`, so that no code grants them administrator
 * rights.
 */
export type Visitor = SignedIn & { token: string; isHeldBack: boolean }

/** What the guard found out about a request. Loaders and actions receive it. */
export type LoadContext = {
  requestId: string
  /** For the Content-Security-Policy of this response. */
  nonce: string
  /** The client's network address, for rate limits. */
  address: string
  /** The session token in the request's cookie. Not yet known to belong to a session. */
  token: string | null
  /**
   * The API key of the request, not yet known to be valid. Such a request has no cookies: the guard of
   * all requests removes them, so that it never acts for a session as well.
   */
  apiKey: string | null
  /** The browser, if an account was signed in with it before. */
  device: KnownDevice | null
  /** Whose invite link the browser has opened; an id that proves nothing. */
  invitedBy: string | null
  visitor: Visitor | null
  /** The program whose API key the request has. Pages and forms know visitors only. */
  program: Program | null
  /**
   * Set if the database did not respond while the page was rendered. The response then becomes a
   * 503.
   */
  failure: { unavailable: boolean }
}

/** Returns the account for which a request is made: of a signed-in user, or of a program. */
export const accountOf = ({ visitor, program }: LoadContext): Account | null =>
  (visitor ?? program)?.account ?? null

declare module '@remix-run/node' {
  // eslint-disable-next-line @typescript-eslint/consistent-type-definitions, @typescript-eslint/no-empty-object-type -- merging needs an interface
  interface AppLoadContext extends LoadContext {}
}
