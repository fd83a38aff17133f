import { getDrafts } from '~/domain/videos/requests/drafts.server'
import { newFormKey } from '../forms/idempotency.server'
import type { SignedInArgs } from '../session/guards.server'

/** The forms of the create screen, for the signed-in user and the page's address. */
export async function readForms({ ctx, account }: SignedInArgs, search: URLSearchParams) {
  return {
    userId: account.id,
    formKey: newFormKey(),
    prompt: search.get('prompt') ?? '',
    drafts: await getDrafts(ctx),
  }
}
