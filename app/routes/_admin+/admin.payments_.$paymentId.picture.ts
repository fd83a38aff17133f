import type { LoaderFunctionArgs } from '@remix-run/node'
import { readPicture } from '~/domain/payments/pictures.server'
import { requireAdmin } from '~/http/session/guards.server'

/** The picture of a claim. */
export async function loader({ request, context, params }: LoaderFunctionArgs) {
  const { ctx } = requireAdmin({ request, context })
  const bytes = await readPicture(ctx.db, params.paymentId ?? '')
  if (!bytes) throw new Response(null, { status: 404 })
  const headers = { 'Content-Type': 'image/jpeg', 'Cache-Control': 'no-store' }
  return new Response(new Uint8Array(bytes), { headers })
}
