import type { LoaderFunctionArgs } from '@remix-run/node'
import { readScreenshot } from '~/domain/payments/screenshots.server'
import { requireAdmin } from '~/http/session/guards.server'

/** The screenshot of a claim. */
export async function loader({ request, context, params }: LoaderFunctionArgs) {
  const { ctx } = requireAdmin({ request, context })
  const bytes = await readScreenshot(ctx.db, params.paymentId ?? '')
  const unstored = { 'Cache-Control': 'no-store' }
  if (!bytes) throw new Response(null, { status: 404, headers: unstored })
  return new Response(new Uint8Array(bytes), {
    headers: { 'Content-Type': 'image/jpeg', ...unstored },
  })
}
