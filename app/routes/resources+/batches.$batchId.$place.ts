import { redirect, type LoaderFunctionArgs } from '@remix-run/node'
import { findInBatch } from '~/domain/batches/queries.server'
import { requireUser } from '~/http/session/guards.server'
import { redirectWithToast } from '~/http/session/toast.server'
import { paths } from '~/lib/paths'
import { readWholeNumber } from '~/lib/digits'

/**
 * Redirects from a prompt's position in a batch to its video, so that no page needs to contain a
 * hundred ids.
 */
export async function loader({ request, context, params }: LoaderFunctionArgs) {
  const { ctx } = requireUser({ request, context })
  const { batchId = '', place } = params
  const id = await findInBatch(ctx, { batchId, place: readWholeNumber(place) ?? 0 })
  if (id !== null) return redirect(paths.video(id))
  const toast = { kind: 'info', title: 'This video is not there any more' } as const
  return redirectWithToast(paths.batch(batchId), toast)
}
