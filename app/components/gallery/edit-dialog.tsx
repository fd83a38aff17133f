import { VIDEO_LIMITS } from '~/domain/videos/rules'
import { ActionForm } from '../ui/action-form'
import { Button } from '../ui/button'
import { Dialog, DialogButtons } from '../ui/dialog'
import { TextAreaField } from '../ui/field'
import { FormToast } from '../ui/toasts'
import { useActionForm } from '../ui/use-action-form'
import { useDialogForm } from '../ui/use-dialog-form'
import { useHydrated } from '../ui/use-hydrated'
import { useOrderKey } from '../ui/use-order-key'
import { failedOf } from './action-texts'
import { useGallery } from './gallery-context'
import type { OpenedVideo } from './use-opened-video'

type Props = {
  video: OpenedVideo
  /** Key of the order, so that sending the form several times orders once. */
  formKey: string
  /** What the user typed before the session ended. */
  typed: string | null
}

/**
 * Orders a new video with another prompt and the same aspect ratio. The old video is not changed.
 */
export function EditDialog({ video, ...rest }: Props) {
  return (
    <Dialog title="Edit Prompt & Regenerate">
      <EditForm
        // The full prompt may arrive after the dialog has opened.
        key={`${video.id}:${video.isWhole}`}
        video={video}
        {...rest}
      />
    </Dialog>
  )
}

function EditForm({ video, formKey, typed }: Props) {
  const { scope } = useGallery()
  const isOthers = scope === 'all'
  const isHydrated = useHydrated()
  const { stays, isSending, lastResult, message } = useDialogForm()
  // The same text sent again after a lost response is the same order.
  const key = useOrderKey(formKey)
  const [form, { prompt }] = useActionForm<{ prompt: string }>('edit', {
    defaultValue: { prompt: typed ?? video.prompt },
    lastResult,
  })
  return (
    <ActionForm
      {...form}
      intent="edit"
      failed={failedOf('edit', scope)}
      stays={stays}
      data-carried
      className="space-y-4"
    >
      {message && <FormToast toast={message} />}
      <TextAreaField
        field={prompt}
        dir="auto"
        label="Prompt"
        rows={6}
        maxLength={VIDEO_LIMITS.promptCharacters}
        disabled={!video.isWhole}
        hint={`The new video is ${video.aspectRatio} as well${isOthers ? ', belongs to you' : ''} and uses 1 video of ${isOthers ? 'your quota for today' : 'today’s quota'}.`}
      />
      <DialogButtons>
        <Button disabled={isHydrated && (!prompt.value?.trim() || isSending || !video.isWhole)}>
          Generate
        </Button>
      </DialogButtons>
      <input type="hidden" name="on" value={video.id} />
      <input type="hidden" name="formKey" value={key} />
    </ActionForm>
  )
}
