import { getDrafts } from '~/domain/videos/requests/drafts.server'
import { newFormKey } from '../forms/idempotency.server'
import type { SignedInArgs } from '../session/guards.server'

/**
 * Returns what the forms of the create screen need, for the signed-in user and the page's query
 * string.
 */
export async function readForms({ ctx, account }: SignedInArgs, search: URLSearchParams) {
  return {
    userId: account.id,
    formKey: newFormKey(),
    prompt: search.get('prompt') ?? '',
    drafts: await getDrafts(ctx),
  }
}
