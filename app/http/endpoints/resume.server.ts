import type { ProvenAccount } from '~/domain/accounts/types'
import type { VisitorCtx } from '~/domain/context'
import { readDraft, type BoxName, type DraftKind } from '~/domain/videos/requests/drafts'
import { FIELD_NAMES } from '~/domain/videos/order-fields'
import { saveDraft, saveEditDraft } from '~/domain/videos/requests/drafts.server'
import { readDialog, typedAddress } from '~/lib/dialog-address'
import { loginPath, paths, safeRedirect } from '~/lib/paths'
import type { Get } from './express-routes.server'

/**
 * What the user typed into a form of the create screen or into the dialog that edits a prompt.
 * Hidden fields carry it through sign-in.
 */
export type Typed = Record<string, string>

const TEXT_FIELDS = { single: 'prompt', bulk: 'promptLines' } as const satisfies Record<
  DraftKind,
  BoxName
>
const KEPT = [...Object.values(TEXT_FIELDS), ...FIELD_NAMES]

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
 * Stores what the user typed before signing in as a draft, so that its form shows it again. Returns
 * the URL of that form.
 */
export async function carryOn(
  ctx: VisitorCtx,
  account: ProvenAccount,
  { typed, wanted }: Return,
): Promise<string> {
  const { id, role, username } = account
  const userCtx = { ...ctx, actor: { kind: 'user', id, role, username } } as const
  const data = new FormData()
  for (const [name, value] of Object.entries(typed)) data.set(name, value)
  const kind = data.has(TEXT_FIELDS.bulk) ? 'bulk' : 'single'
  if (!data.has(TEXT_FIELDS[kind])) return wanted
  const draft = readDraft(data, TEXT_FIELDS[kind])
  // The dialog's form posts to the URL that opens the dialog.
  if (readDialog(new URL(wanted, 'http://own').searchParams).name === 'edit') {
    await saveEditDraft(userCtx, draft.text)
    return typedAddress(wanted)
  }
  await saveDraft(userCtx, kind, draft)
  return wanted
}

/**
 * Handles a GET of this page, which has no form to carry. Redirects to the wanted page, through
 * sign-in if necessary. This is not a loader, because loaders also run for the page that responds
 * to the form.
 */
export function mountResume(get: Get): void {
  get(paths.resume, (req, res) => {
    const { redirectTo } = req.query
    const wanted = safeRedirect(typeof redirectTo === 'string' ? redirectTo : null, paths.app)
    res.redirect(303, res.locals.context.visitor ? wanted : loginPath(wanted))
  })
}
