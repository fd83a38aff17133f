import { useLocation, useNavigate } from '@remix-run/react'
import type { ComponentProps, FormEvent } from 'react'
import { countFor } from '~/domain/videos/rules'
import type { GalleryCounts } from '~/domain/videos/types'
import { orderByApi } from '~/lib/call-api'
import { readDialog } from '~/lib/dialog-address'
import { paths } from '~/lib/paths'
import { figure, plural } from '~/lib/figures'
import { galleryAddress } from '../gallery/address'
import { NothingDialog, NothingTicked, useTicked } from '../gallery/bulk-dialogs'
import { useGallery } from '../gallery/gallery-context'
import { showFailure } from '../gallery/show-failure'
import { ConfirmDialog } from '../ui/confirm'
import { Field } from '../ui/field'
import { showToast } from '../ui/toasts'
import { useActionForm } from '../ui/use-action-form'
import { DELETE_ALL_WORDS } from './all-videos-labels'

type Props = { counts: GalleryCounts; formKey: string }

/** The confirmation dialogs for actions on many videos, opened by the URL. */
export function AllVideosDialogs({ counts, formKey }: Props) {
  const { search } = useLocation()
  const { name } = readDialog(new URLSearchParams(search))
  if (name === 'regenerate-selected') return <RegenerateSelectedDialog formKey={formKey} />
  if (name === 'delete-all') return <DeleteAllDialog counts={counts} />
  if (name !== 'regenerate-all') return null
  return <RegenerateAllDialog counts={counts} formKey={formKey} />
}

function RegenerateSelectedDialog({ formKey }: { formKey: string }) {
  const { select, refresh } = useGallery()
  const { ids, back } = useTicked()
  const navigate = useNavigate()
  if (ids.length === 0) {
    return <NothingTicked text="Select the videos to regenerate first." backTo={back} />
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
          Uses administrator tokens; runs after users’ own videos. Their owners’ quota is untouched,
          and the present clips stay until the new ones are ready.
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

function DeleteAllDialog({ counts }: Omit<Props, 'formKey'>) {
  const { page, search } = useGallery()
  const { status } = page.filters
  const { what } = DELETE_ALL_WORDS[status]
  const count = countFor(counts, { status, aspectRatio: 'all' })
  if (count === 0) {
    const backTo = galleryAddress(search, {})
    return <NothingDialog title="No videos to delete" text="There are none." backTo={backTo} />
  }
  return (
    <CountDialog
      title={`Delete ${what} videos?`}
      text={`${WHOLE[status]} videos of all users will be deleted. Search and user filters do not apply. They are kept in the trash for 7 days and can be restored from there.`}
      intent="delete-all"
      fields={{ status }}
      count={count}
      confirmLabel={`Delete ${what}`}
    />
  )
}

const WHOLE = {
  all: 'All',
  completed: 'All completed',
  pending: 'All pending',
  error: 'All failed',
}

function RegenerateAllDialog({ counts, formKey }: Props) {
  const count = counts.completed + counts.failed
  return (
    <CountDialog
      title={`Regenerate all ${plural(count, 'video')}?`}
      text="Every completed and failed video of all users is made again. Uses administrator tokens, at Enterprise speed; runs after users’ own videos. You can stop it on this page."
      intent="regenerate-all"
      fields={{ formKey }}
      count={count}
      confirmLabel="Regenerate All"
    />
  )
}

type CountProps = Omit<ComponentProps<typeof ConfirmDialog>, 'children'> & {
  count: number
}

/**
 * Deletes thousands of videos or starts thousands of paid calls, so one click is not enough: the
 * administrator types the number (decision Q-21).
 */
function CountDialog({ count, fields, ...question }: CountProps) {
  const [form, { typed }] = useActionForm<{ typed: string }>(question.intent)
  return (
    <ConfirmDialog {...form} {...question} fields={{ ...fields, expected: String(count) }}>
      <Field
        field={typed}
        label={`Type ${figure(count)} to continue`}
        inputMode="numeric"
        autoComplete="off"
      />
    </ConfirmDialog>
  )
}
