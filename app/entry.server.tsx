import type {
  ActionFunctionArgs,
  AppLoadContext,
  EntryContext,
  LoaderFunctionArgs,
} from '@remix-run/node'
import { RemixServer } from '@remix-run/react'
import { renderToString } from 'react-dom/server'
import { webBoot } from './boot/web.server'
import { isDatabaseAway, RETRY_SECONDS } from './http/failures.server'
import { createWebApp } from './http/web-app.server'
import { NonceProvider } from './components/layout/nonce'

// server.ts runs these; it never imports our source itself.
export { createWebApp, webBoot }

/** Nothing is streamed, so the faster of React's two renderers serves (docs/decisions/0005). */
// eslint-disable-next-line max-params -- Remix calls it so
export default function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  remixContext: EntryContext,
  { nonce, failure }: AppLoadContext,
) {
  const markup = renderToString(
    <NonceProvider value={nonce}>
      <RemixServer context={remixContext} url={request.url} />
    </NonceProvider>,
  )
  headers.set('Content-Type', 'text/html; charset=utf-8')
  if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'private, no-cache')
  if (failure.unavailable) headers.set('Retry-After', String(RETRY_SECONDS))
  return new Response(`<!DOCTYPE html>${markup}`, {
    status: failure.unavailable ? 503 : status,
    headers,
  })
}

/** Logs what nobody expected, once. */
export function handleError(
  error: unknown,
  { request, context }: LoaderFunctionArgs | ActionFunctionArgs,
): void {
  if (request.signal.aborted) return
  if (isDatabaseAway(error)) context.failure.unavailable = true
  webBoot().log.error({ err: error, requestId: context.requestId }, 'page failed')
}
