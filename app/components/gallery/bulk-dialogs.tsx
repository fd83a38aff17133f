import { useLocation, useNavigate } from '@remix-run/react'
import type { FormEvent } from 'react'
import { callApi } from '~/lib/call-api'
import { closedAddress } from '~/lib/dialog-address'
import { paths } from '~/lib/paths'
import { plural } from '~/lib/figures'
import { ButtonLink } from '../ui/button'
import { ConfirmDialog } from '../ui/confirm'
import { Dialog } from '../ui/dialog'
import { showToast } from '../ui/toasts'
import { AFTER_DELETION, AFTER_DELETIONS } from './deletion-text'
import { galleryAddress } from './address'
import { useGallery } from './gallery-context'
import { showFailure } from './show-failure'

/**
 * Delay between the confirmation of Retry All and the call, in which the user can undo it (decision
 *
 */
const UNDO_MS = 2000

/** Returns the ids of the ticked videos, and the address to which their dialog leads back. */
export function useTicked(): { ids: readonly string[]; back: string } {
  const { page, selected, search } = useGallery()
  // Without scripts the ids of the ticked boxes are in the URL.
  const sent = new URLSearchParams(search).getAll('ids')
  const back = galleryAddress(search, { page: page.pagination.page })
  return { ids: sent.length > 0 ? sent : selected, back }
}

/**
 * Asks for confirmation before the ticked videos are deleted. With scripts there is one call per
 * video.
 */
export function DeleteSelectedDialog() {
  const { refresh } = useGallery()
  const { ids, back } = useTicked()
  const navigate = useNavigate()
  if (ids.length === 0)
    return <NothingTicked text="Select the videos to delete first." backTo={back} />
  const remove = async (event: FormEvent) => {
    event.preventDefault()
    navigate(back, { replace: true, preventScrollReset: true })
    await deleteEach(ids)
    await refresh()
  }
  return (
    <ConfirmDialog
      title={`Delete ${plural(ids.length, 'video')}?`}
      text={
        <p>
          {ids.length === 1 ? AFTER_DELETION : AFTER_DELETIONS} Videos in progress are cancelled.
        </p>
      }
      intent="delete-selected"
      fields={{ ids }}
      confirmLabel="Delete"
      cancelTo={back}
      onSubmit={(event) => void remove(event)}
    />
  )
}

type NothingProps = { title: string; text: string; backTo: string }

/** Replaces a confirmation if there is nothing to confirm. */
export function NothingDialog({ title, text, backTo }: NothingProps) {
  return (
    <Dialog title={title} closeTo={backTo}>
      <p className="mb-6 text-sm text-soft">{text}</p>
      <ButtonLink to={backTo} look="plain" replace preventScrollReset className="w-full sm:w-auto">
        Back to the videos
      </ButtonLink>
    </Dialog>
  )
}

/** Says that an action needs ticked videos. */
export const NothingTicked = (props: Omit<NothingProps, 'title'>) => (
  <NothingDialog title="No videos selected" {...props} />
)

async function deleteEach(ids: readonly string[]): Promise<void> {
  const results = []
  for (const id of ids) results.push(await callApi('DELETE', paths.api.video(id)))
  // A 404: it was deleted in another tab meanwhile.
  const failure = results.find((result) => !result.ok && result.status !== 404)
  if (failure?.ok === false)
    showFailure('Delete failed', failure, 'Failed to delete selected videos')
  else showToast({ kind: 'success', title: 'Videos deleted' })
}

/** Asks for confirmation before all failed videos are retried. */
export function RetryAllDialog() {
  const { page, refresh } = useGallery()
  const { search } = useLocation()
  const navigate = useNavigate()
  const { failed } = page.counts
  if (failed === 0) {
    return (
      <NothingDialog
        title="No failed videos"
        text="There is nothing to retry."
        backTo={closedAddress(search)}
      />
    )
  }
  const retry = (event: FormEvent) => {
    event.preventDefault()
    navigate(closedAddress(search), { replace: true, preventScrollReset: true })
    retryAllSoon(refresh)
  }
  return (
    <ConfirmDialog
      title={`Retry ${plural(failed, 'failed video')}?`}
      text={
        <p>
          Retries run at the pace of your plan, oldest first, as many as today’s quota holds. Each
          uses 1 video.
        </p>
      }
      intent="retry-all"
      confirmLabel="Retry All"
      isDangerous={false}
      onSubmit={retry}
    />
  )
}

function retryAllSoon(refresh: () => Promise<void> | void): void {
  const timer = setTimeout(async () => {
    const result = await callApi<{ message: string; count: number }>('POST', paths.api.retryAll, {})
    if (result.ok) {
      const { message, count } = result.data
      showToast(
        count === 0
          ? { kind: 'info', title: message }
          : { kind: 'success', title: 'Retry All started', description: message },
      )
    } else showFailure('Retry All failed', result, 'Failed to retry videos')
    await refresh()
  }, UNDO_MS)
  showToast({
    kind: 'info',
    title: 'Retrying all failed videos',
    action: { label: 'Undo', onPress: () => clearTimeout(timer) },
  })
}
