import { z } from 'zod'
import { helperRightsInput } from '~/domain/administration/helpers/helper-schemas'
import {
  decideRequest,
  listHelpers,
  setHelperRights,
} from '~/domain/administration/helpers/helpers.server'
import { RIGHTS_TOGETHER, rightsFields } from '~/domain/administration/shown'
import type { AdminCtx } from '~/domain/context'
import { paths } from '~/lib/paths'
import { form, type FormHandler } from '~/http/forms/forms.server'

const request = z.object({ id: z.string() })

/** Returns the form handlers of the page with all helpers, by intent. */
export function helpersForms(ctx: AdminCtx): Record<string, FormHandler> {
  return {
    rights: form('The rights were not changed', helperRightsInput, {
      shown: async (data) => {
        const helper = (await listHelpers(ctx)).find(({ id }) => id === data.get('id'))
        return helper ? { now: rightsFields(helper), together: RIGHTS_TOGETHER } : null
      },
      run: async (input) => done(`Rights of ${await setHelperRights(ctx, input)} saved`),
    }),
    approve: form('The request was not approved', request, async ({ id }) => {
      await decideRequest(ctx, { id, isApproved: true })
      return done('Approved')
    }),
    decline: form('The request was not declined', request, async ({ id }) => {
      await decideRequest(ctx, { id, isApproved: false })
      return done('Declined')
    }),
  }
}

const done = (title: string) => ({
  to: paths.admin.helpers,
  toast: { kind: 'success', title } as const,
})
