import { useLocation, useNavigate } from '@remix-run/react'
import type { FormEvent } from 'react'
import { countFor } from '~/domain/videos/rules'
import type { GalleryCounts } from '~/domain/videos/types'
import type { FormFailure } from '~/http/forms.server'
import { orderByApi } from '~/lib/call-api'
import { readDialog } from '~/lib/dialog-address'
import { paths } from '~/lib/paths'
import { plural } from '~/lib/text'
import { galleryAddress } from '../gallery/address'
import { NothingDialog } from '../gallery/bulk-dialogs'
import { useGallery } from '../gallery/gallery-context'
import { showFailure } from '../gallery/video-deeds'
import { ActionForm } from '../ui/action-form'
import { ConfirmDialog } from '../ui/confirm'
import { Dialog, DialogButtons } from '../ui/dialog'
import { Field } from '../ui/field'
import { SubmitButton } from '../ui/submit-button'
import { showToast } from '../ui/toasts'
import { typedText } from '../ui/typed-text'
import { DELETE_ALL_WORDS } from './platform-words'

type Props = { counts: GalleryCounts; formKey: string; failure: FormFailure | null }

/** The questions before something is done to many videos, opened by the address. */
export function PlatformDialogs({ counts, formKey, failure }: Props) {
  const { search } = useLocation()
  const { name } = readDialog(new URLSearchParams(search))
  if (name === 'regenerate-selected') return <RegenerateSelectedDialog formKey={formKey} />
  if (name === 'delete-all') return <DeleteAllDialog counts={counts} />
  if (name !== 'regenerate-all') return null
  return <RegenerateAllDialog counts={counts} formKey={formKey} failure={failure} />
}

function RegenerateSelectedDialog({ formKey }: { formKey: string }) {
  const { page, selected, select, refresh } = useGallery()
  const { search } = useLocation()
  const navigate = useNavigate()
  // Without scripts the ticked boxes came with the address.
  const sent = new URLSearchParams(search).getAll('ids')
  const ids = sent.length > 0 ? sent : [...selected]
  const back = galleryAddress(search, { page: page.pagination.page })
  if (ids.length === 0) {
    return (
      <NothingDialog
        title="No videos selected"
        text="Tick the videos to make anew first."
        backTo={back}
      />
    )
  }
  const regenerate = async (event: FormEvent) => {
    event.preventDefault()
    navigate(back, { replace: true, preventScrollReset: true })
    const order = { videoIds: ids }
    const url = paths.api.regenerateSelected
    const result = await orderByApi<{ message: string }>(url, order, formKey)
    if (!result.ok) return showFailure('Regeneration failed', result, 'Request failed')
    select(false)
    showToast({ kind: 'success', title: 'Regeneration started', description: result.data.message })
    await refresh()
  }
  return (
    <ConfirmDialog
      title={`Regenerate ${plural(ids.length, 'video')}?`}
      text={
        <p>
          They are made again with administrators’ tokens, behind all users’ own work. Their owners’
          quota is untouched, and the present clips stay until the new ones are ready.
        </p>
      }
      intent="regenerate-selected"
      fields={{ ids, formKey }}
      confirmLabel="Regenerate"
      isDangerous={false}
      cancelTo={back}
      onSubmit={(event) => void regenerate(event)}
    />
  )
}

function DeleteAllDialog({ counts }: { counts: GalleryCounts }) {
  const { status } = useGallery().page.filters
  const { what } = DELETE_ALL_WORDS[status]
  const count = countFor(counts, { status, aspectRatio: 'all' })
  return (
    <ConfirmDialog
      title={`Delete ${what} videos?`}
      text={
        <>
          <p>
            {plural(count, 'video')} of every user will be deleted; only the status filter counts.
          </p>
          <p>They rest in the trash for 7 days and can be brought back from there.</p>
        </>
      }
      intent="delete-all"
      fields={{ status }}
      confirmLabel={`Delete ${what}`}
    />
  )
}

/** Thousands of paid calls are not one click away: the number has to be typed (decision Q-21). */
function RegenerateAllDialog({ counts, formKey, failure }: Props) {
  const count = counts.completed + counts.failed
  const typed = failure?.intent === 'regenerate-all' ? failure.result : undefined
  return (
    <Dialog title={`Regenerate all ${plural(count, 'video')}?`} role="alertdialog">
      <ActionForm intent="regenerate-all" preventScrollReset className="space-y-4">
        <p className="text-sm text-soft">
          Every completed and failed video of all users is made again with administrators’ tokens,
          at the pace of Enterprise and behind all users’ own work. It can be stopped on this page.
        </p>
        <input type="hidden" name="expected" value={count} />
        <input type="hidden" name="formKey" value={formKey} />
        <Field
          name="typed"
          label={`Type ${count} to go on`}
          inputMode="numeric"
          autoComplete="off"
          defaultValue={typedText(typed, 'typed')}
          errors={typed?.error?.typed}
        />
        <DialogButtons>
          <SubmitButton intent="regenerate-all" look="danger">
            Regenerate All
          </SubmitButton>
        </DialogButtons>
      </ActionForm>
    </Dialog>
  )
}
