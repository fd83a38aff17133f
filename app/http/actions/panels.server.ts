import { json, type ActionFunctionArgs, type TypedResponse } from '@remix-run/node'
import type { ImportReport } from '~/domain/administration/types'
import type { AdminCtx } from '~/domain/context'
import { isAppError } from '~/domain/errors'
import { NOT_CONFIRMED, SCRIPTED } from '~/lib/carried'
import { NOTHING_DONE, orConfirmFirst } from '../forms/confirm-first.server'
import { textOf } from '../forms/form-data.server'
import { OUT_OF_DATE, readCheckedForm } from '../forms/form-token.server'
import { toAppError } from '../responses/failures.server'
import { requireAdmin } from '../session/guards.server'

/** The message beside a panel's result. */
export type PanelToast = NonNullable<ImportReport['toast']>

export const problem = (title: string, description: string): PanelToast => ({
  kind: 'error',
  title,
  description,
})

/** Returns the message for an error and logs unexpected errors. Rethrows PASSWORD_NEEDED. */
export function messageOfFailure(ctx: AdminCtx, error: unknown): string {
  if (isAppError(error) && error.code === 'PASSWORD_NEEDED') throw error
  const failure = toAppError(error, ctx.requestId)
  if (failure.status >= 500) ctx.log.error({ err: error, requestId: ctx.requestId }, 'panel failed')
  return failure.message
}

/**
 * Returns the pasted text for a page without scripts. Such a page is rendered again and must show
 * the text; a page with scripts still has it.
 */
export const keptText = (data: FormData) =>
  data.has(SCRIPTED) ? {} : { text: textOf(data, 'text') }

/** A panel's form, and why it must not be carried out, or null. */
export type PanelForm = { data: FormData; refusal: PanelToast | null }

/**
 * Runs a panel's form and returns the result as JSON. Redirects to the password page if the action
 * needs the password.
 */
export async function runPanel<Data>(
  { request, context }: Pick<ActionFunctionArgs, 'request' | 'context'>,
  respond: (ctx: AdminCtx, form: PanelForm) => Promise<Data>,
): Promise<TypedResponse<Data>> {
  const { ctx } = requireAdmin({ request, context })
  const { data, isOutOfDate } = await readCheckedForm({ request, context })
  const outOfDate = isOutOfDate ? problem('Nothing was changed', OUT_OF_DATE) : null
  const refusal = outOfDate ?? (data.has(NOT_CONFIRMED) ? NOTHING_DONE : null)
  return json(await orConfirmFirst(request, () => respond(ctx, { data, refusal })))
}
