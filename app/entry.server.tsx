import type {
  ActionFunctionArgs,
  AppLoadContext,
  EntryContext,
  LoaderFunctionArgs,
} from '@remix-run/node'
import { isRouteErrorResponse, RemixServer } from '@remix-run/react'
import { renderToString } from 'react-dom/server'
import { webBoot } from './boot/web.server'
import { CAUGHT } from './http/server/express-errors.server'
import { RETRY_SECONDS, unavailable } from './http/responses/failures.server'
import { logFailure } from './http/responses/log-failure.server'
import { isDatabaseUnavailable } from './platform/db/unavailable'
import { plainPage } from './http/responses/plain-page.server'
import { refuseHead } from './http/server/refuse-head.server'
import { createWebApp } from './http/server/web-app.server'
import { NonceProvider } from './components/layout/nonce'

// server.ts calls these. It never imports the source itself.
export { createWebApp, refuseHead, webBoot }

/**
 * Renders a page. Nothing is streamed, so the faster of React's two renderers is used
 * (docs/decisions/0001-remix-rendered-to-a-string.md).
 */
// eslint-disable-next-line max-params -- Remix calls it so
export default function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  remixContext: EntryContext,
  { nonce, failure, requestId, visitor }: AppLoadContext,
) {
  if (failure.unavailable) {
    const refusal = unavailable()
    headers.set('Content-Type', 'text/html; charset=utf-8')
    headers.set('Cache-Control', 'no-store')
    headers.set('Retry-After', String(RETRY_SECONDS))
    return new Response(plainPage(refusal, requestId), { status: refusal.status, headers })
  }
  const markup = renderToString(
    <NonceProvider value={nonce}>
      <RemixServer context={remixContext} url={request.url} />
    </NonceProvider>,
  )
  headers.set('Content-Type', 'text/html; charset=utf-8')
  headers.append('Vary', 'Accept-Language')
  keepAs({ visitor }, headers)
  return new Response(`<!DOCTYPE html>${markup}`, { status, headers })
}

/** A page and its data are kept alike: not at all if somebody is signed in. A route may say otherwise. */
function keepAs({ visitor }: Pick<AppLoadContext, 'visitor'>, headers: Headers): void {
  if (!headers.has('Cache-Control'))
    headers.set('Cache-Control', visitor ? 'no-store' : 'private, no-cache')
}

/**
 * Responds with a 503 to scripts that request a page's data while the database is unavailable,
 * instead of a 500.
 */
export function handleDataRequest(
  response: Response,
  { request, context }: LoaderFunctionArgs,
): Response {
  if (!context.failure.unavailable || request.method !== 'GET') {
    keepAs(context, response.headers)
    return response
  }
  const { status } = unavailable()
  return Response.json(null, {
    status,
    headers: { ...CAUGHT, 'Retry-After': String(RETRY_SECONDS) },
  })
}

/** Logs unexpected errors of pages. What Remix refuses, such as an unknown route of `_data`, is not one. */
export function handleError(
  error: unknown,
  { request, context }: LoaderFunctionArgs | ActionFunctionArgs,
): void {
  if (request.signal.aborted) return
  if (isRouteErrorResponse(error) && error.status < 500) return
  if (isDatabaseUnavailable(error)) context.failure.unavailable = true
  logFailure(webBoot().log, error, { what: 'page failed', requestId: context.requestId })
}
