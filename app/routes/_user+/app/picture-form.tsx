import { Link, useNavigation } from '@remix-run/react'
import { useRef } from 'react'
import type { Continued } from '~/domain/videos/requests/pictures'
import type { Draft, DraftText } from '~/domain/videos/requests/drafts'
import { aheadText } from '~/domain/videos/rules'
import type { FormResponse } from '~/http/forms/forms.server'
import { paths } from '~/lib/paths'
import { FormIdentity } from '~/components/ui/action-form'
import { Button } from '~/components/ui/button'
import { useHydrated } from '~/components/ui/use-hydrated'
import { PromptBox } from './prompt-box'
import { ContinuedField } from './continued-field'
import { CreateForm, GENERATION_FAILED } from '~/components/create/create-form'
import { OrderTextBoxes } from '~/components/create/order-text-boxes'
import { EndPictureField, PictureField } from './picture-field'
import { typedDraft, typedText } from '~/components/create/typed-draft'
import { useFormDraft } from './use-form-draft'
import { useSentText } from './use-sent-text'

export type PictureFormProps = {
  userId: string
  formKey: string
  /** That of the text tab: both tabs have one prompt. */
  draft: Draft
  failure: FormResponse | null
  /** How many prompts wait in line behind the video that is being made; null: none is made. */
  inLine: number | null
  /** The clip at whose end the video begins; otherwise it begins with a picture that the user chooses. */
  continued: Continued
  /** Whether the video may also end with a picture. */
  takesEndPictures: boolean
}

const INTENT = 'generate-from-picture'

/** The form for one video that begins with a picture. Works without scripts; scripts show the crop. */
export function PictureForm(props: PictureFormProps) {
  const { userId, formKey, draft, failure, inLine, continued, takesEndPictures } = props
  const form = useRef<HTMLFormElement>(null)
  const isHydrated = useHydrated()
  const { formData } = useNavigation()
  const sending = formData?.get('intent') === INTENT ? formData : null
  const isSending = sending !== null
  const initial: DraftText = typedDraft(failure, 'prompt') ?? draft
  const options = { userId, kind: 'single', textField: 'prompt', draft, initial } as const
  const isRefused = failure !== null
  const { fields, sync } = useFormDraft(form, { ...options, sending, isRefused, lines: null })
  useSentText(form, { isSending, failure, sync })
  const clip = continued === 'gone' ? null : continued
  const errors = failure?.result.error
  const typed = (name: string) => (failure ? typedText(failure.result, name) : '')
  const isEmpty = isHydrated && fields.text.trim() === ''
  return (
    <CreateForm
      tab="image"
      form={form}
      formKey={formKey}
      // Stays in the address, so that a refused form continues the same clip.
      action={clip ? paths.continueClip(clip.id) : undefined}
      sync={sync}
      encType="multipart/form-data"
    >
      <FormIdentity intent={INTENT} failed={GENERATION_FAILED} />
      {/* The ratio of the text tab, which shares the draft. */}
      <input type="hidden" name="aspectRatio" value={draft.aspectRatio} />
      {continued === 'gone' && (
        <p className="rounded border border-warn px-3 py-2 text-sm text-warn">
          The clip that you want to continue is not there. It may be in{' '}
          <Link to={paths.deleted} className="underline underline-offset-4">
            Recently deleted
          </Link>
          . You can also choose a picture:
        </p>
      )}
      {clip ? (
        <ContinuedField clip={clip} />
      ) : (
        <PictureField
          frame={typed('frame')}
          crop={typed('crop')}
          errors={errors?.picture ?? []}
          isAgain={isRefused && !isHydrated}
        />
      )}
      {takesEndPictures && (
        <EndPictureField errors={errors?.endPicture ?? []} isAgain={isRefused && !isHydrated} />
      )}
      <PromptBox
        rows={3}
        placeholder="Describe what happens in the picture"
        initial={initial.text}
        typed={fields.text}
        errors={errors?.prompt ?? []}
      />
      <OrderTextBoxes initial={initial} typed={fields} errors={errors} />
      <div className="composer-actions">
        <Button data-submit disabled={isSending || isEmpty}>
          {isSending ? 'Starting…' : inLine === null ? 'Generate Video' : 'Add to the line'}
        </Button>
        <div className="composer-note">
          {inLine !== null && <p className="composer-strip">{aheadText(inLine)}</p>}
        </div>
      </div>
    </CreateForm>
  )
}
