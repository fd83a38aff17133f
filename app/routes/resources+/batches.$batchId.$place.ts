import { redirect, type LoaderFunctionArgs } from '@remix-run/node'
import { findInBatch } from '~/domain/batches/queries.server'
import { listWaitingPrompts } from '~/domain/batches/waiting-prompts.server'
import { isId } from '~/lib/ids'
import { requireUser } from '~/http/session/guards.server'
import { redirectWithToast } from '~/http/session/toast.server'
import { paths } from '~/lib/paths'
import { promptAnchor } from '~/lib/prompt-anchor'
import { readWholeNumber } from '~/lib/digits'

/**
 * Redirects from a prompt's position in a batch to its video, so that no page needs to contain a
 * hundred ids.
 */
export async function loader({ request, context, params }: LoaderFunctionArgs) {
  const { ctx } = requireUser({ request, context })
  const { batchId = '', place } = params
  const asked = readWholeNumber(place) ?? 0
  const id = await findInBatch(ctx, { batchId, place: asked })
  if (id !== null) return redirect(paths.video(id))
  const waiting = isId(batchId) ? await listWaitingPrompts(ctx, batchId) : []
  if (waiting.some((prompt) => prompt.place === asked))
    return redirect(paths.batchPage(batchId) + promptAnchor(asked))
  const toast = { kind: 'info', title: 'This video is not there any more' } as const
  return redirectWithToast(paths.batch(batchId), toast)
}
