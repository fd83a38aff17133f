import type { SubmissionResult } from '@conform-to/react'
import { beforeField } from '~/domain/administration/rules'
import { SCRIPTED } from '~/lib/carried'
import type { Toast } from '../session/cookies.server'

/** A field for a secret of another user. */
export type Secret = {
  field: string
  /** What the messages call it. */
  name: string
  /** A checkbox that replaces what was typed in the field. */
  replacedBy?: string
}

/** A form as its page shows it again. */
type Shown = { result: SubmissionResult; toast?: Toast | undefined }

/**
 * Returns the secrets that were typed and that the page loses if it shows the form again, because
 * secrets are never sent back. A page whose scripts keep the typed text loses none.
 */
export function lostSecrets(data: FormData, secrets: readonly Secret[] = []): readonly Secret[] {
  if (data.has(SCRIPTED)) return []
  return secrets.filter(({ field, replacedBy }) => {
    const typed = data.get(field) ?? ''
    // The page still has what it showed when it was opened: a mask.
    const isTyped = typed !== '' && typed !== data.get(beforeField(field))
    return isTyped && !(replacedBy !== undefined && data.has(replacedBy))
  })
}

/**
 * Says at each lost secret's field, and in the toast, that it has to be typed again. Otherwise the
 * corrected form would be sent without it, and no message would say so.
 */
export function askAgain({ result, toast }: Shown, lost: readonly Secret[]): Shown {
  if (lost.length === 0) return { result, toast }
  const error = { ...result.error }
  for (const { field, name } of lost) {
    const sentence = `Type ${name} again. It is not kept.`
    error[field] = [...(error[field] ?? []), sentence]
  }
  const names = lost.map(({ name }) => name).join(' and ')
  const said = toast?.description?.replace(/\.?$/, '. ') ?? ''
  const description = `${said}Type ${names} again.`
  return { result: { ...result, error }, toast: toast && { ...toast, description } }
}
