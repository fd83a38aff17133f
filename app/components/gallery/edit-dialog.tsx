import { useNavigate } from '@remix-run/react'
import { useRef, useState } from 'react'
import { VIDEO_LIMITS } from '~/domain/videos/rules'
import { orderByApi } from '~/lib/call-api'
import { closedAddress } from '~/lib/dialog-address'
import { newKey } from '~/lib/ids'
import { paths } from '~/lib/paths'
import { ActionForm } from '../ui/action-form'
import { Button } from '../ui/button'
import { Dialog, DialogButtons } from '../ui/dialog'
import { TextAreaField } from '../ui/field'
import { FormToast } from '../ui/toast-body'
import { showToast, type ToastMessage } from '../ui/toasts'
import { useActionForm } from '../ui/use-action-form'
import { useHydrated } from '../ui/use-hydrated'
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
  const isHydrated = useHydrated()
  const { isSending, refusal, send } = useSendEdit(video.id)
  const [form, { prompt }] = useActionForm<{ prompt: string }>('edit', {
    defaultValue: { prompt: typed ?? video.prompt },
    onSubmit: (event) => {
      event.preventDefault()
      void send(prompt.value ?? '', event.currentTarget)
    },
  })
  return (
    <ActionForm {...form} intent="edit" className="space-y-4">
      {refusal && <FormToast toast={refusal} />}
      <TextAreaField
        field={prompt}
        dir="auto"
        label="Prompt"
        rows={6}
        maxLength={VIDEO_LIMITS.promptCharacters}
        disabled={!video.isWhole}
        hint={`The new video is ${video.aspectRatio} as well and uses 1 video of today’s quota.`}
      />
      <DialogButtons>
        <Button disabled={isHydrated && (!prompt.value?.trim() || isSending || !video.isWhole)}>
          Generate
        </Button>
      </DialogButtons>
      <input type="hidden" name="on" value={video.id} />
      <input type="hidden" name="formKey" value={formKey} />
    </ActionForm>
  )
}

/** With scripts the order is sent from here, so that a refusal does not discard the text. */
function useSendEdit(id: string) {
  const { search, refresh } = useGallery()
  const navigate = useNavigate()
  const [isSending, setIsSending] = useState(false)
  const [refusal, setRefusal] = useState<ToastMessage | null>(null)
  // The same text sent again after a lost response is the same order. Another text is another
  // order.
  const order = useRef({ prompt: '', key: '' })
  const send = async (prompt: string, form: HTMLFormElement) => {
    if (order.current.prompt !== prompt) order.current = { prompt, key: newKey() }
    setIsSending(true)
    setRefusal(null)
    const result = await orderByApi(paths.api.edit(id), { prompt }, order.current.key)
    setIsSending(false)
    // As without scripts, the form itself carries what was typed through sign-in.
    if (!result.ok && result.status === 401) return form.submit()
    if (!result.ok) {
      const description = result.message ?? 'Failed to start video generation'
      return setRefusal({ kind: 'error', title: 'Generation failed', description })
    }
    showToast({ kind: 'success', title: 'Generation started' })
    navigate(closedAddress(search), { replace: true, preventScrollReset: true })
    await refresh()
  }
  return { isSending, refusal, send }
}
