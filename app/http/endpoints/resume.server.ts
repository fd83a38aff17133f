import type { Account } from '~/domain/accounts/types'
import type { VisitorCtx } from '~/domain/context'
import type { DraftKind } from '~/domain/videos/requests/drafts'
import { saveDraft, saveEditDraft } from '~/domain/videos/requests/drafts.server'
import { readDialog, typedAddress } from '~/lib/dialog-address'
import { loginPath, paths, safeRedirect } from '~/lib/paths'
import { readDraft } from '../actions/create-forms.server'
import type { Get } from './express-routes.server'

/** What was typed into a form of the create screen or the dialog that edits a prompt, as hidden fields carry it through signing in. */
export type Typed = Record<string, string>

const TEXT_FIELDS = { single: 'prompt', bulk: 'promptLines' } as const satisfies Record<
  DraftKind,
  string
>
const KEPT = [...Object.values(TEXT_FIELDS), 'negativePrompt', 'aspectRatio']

export function readTyped(data: FormData): Typed {
  const typed: Typed = {}
  for (const name of KEPT) {
    const value = data.get(name)
    if (typeof value === 'string') typed[name] = value
  }
  return typed
}

type Return = { typed: Typed; wanted: string }

/**
 * Puts what was typed back into its form, for the user who has just signed in; answers the address where
 * it stands.
 */
export async function carryOn(
  ctx: VisitorCtx,
  account: Account,
  { typed, wanted }: Return,
): Promise<string> {
  const { id, role, username } = account
  const userCtx = { ...ctx, actor: { kind: 'user', id, role, username } } as const
  const data = new FormData()
  for (const [name, value] of Object.entries(typed)) data.set(name, value)
  const kind = data.has(TEXT_FIELDS.bulk) ? 'bulk' : 'single'
  if (!data.has(TEXT_FIELDS[kind])) return wanted
  const draft = readDraft(data, TEXT_FIELDS[kind])
  // The dialog's form is posted to the address that opens it.
  if (readDialog(new URL(wanted, 'http://own').searchParams).name === 'edit') {
    await saveEditDraft(userCtx, draft.text)
    return typedAddress(wanted)
  }
  await saveDraft(userCtx, kind, draft)
  return wanted
}

/**
 * Opened by its address the page has nothing to carry: a visitor is led on to the page that was wanted,
 * through sign-in if need be. Not a loader: those also run for the page that answers the form.
 */
export function mountResume(get: Get): void {
  get(paths.resume, (req, res) => {
    const { redirectTo } = req.query
    const wanted = safeRedirect(typeof redirectTo === 'string' ? redirectTo : null, paths.app)
    res.redirect(303, res.locals.context.visitor ? wanted : loginPath(wanted))
  })
}
