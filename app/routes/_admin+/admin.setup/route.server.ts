import { markSetup } from '~/domain/administration/change-business.server'
import { setupMark } from '~/domain/business/schemas'
import type { AdminCtx } from '~/domain/context'
import { paths } from '~/lib/paths'
import { form, type FormHandler } from '~/http/forms/forms.server'

/** Returns the form handlers of the set-up check by intent. Each leads back to it. */
export const setupForms = (ctx: AdminCtx): Record<string, FormHandler> => ({
  'mark-done': form('Nothing was changed', setupMark, async ({ step }) => {
    await markSetup(ctx, step, true)
    return done('Marked as done')
  }),
  'mark-open': form('Nothing was changed', setupMark, async ({ step }) => {
    await markSetup(ctx, step, false)
    return done('Not done any more')
  }),
})

const done = (title: string) => ({
  to: paths.admin.setup,
  toast: { kind: 'success', title } as const,
})
