import { useLocation, useNavigate, useSubmit } from '@remix-run/react'
import type { ComponentProps, FormEvent } from 'react'
import { MOST_UNCOUNTED } from '~/domain/videos/rules'
import type { GalleryPage } from '~/domain/videos/types'
import { closedAddress } from '~/lib/dialog-address'
import { plural } from '~/lib/figures'
import { costText } from '../batches/cost-text'
import { useLiveQuota } from '../layout/live-quota'
import { ButtonLink } from '../ui/button'
import { ConfirmDialog } from '../ui/confirm'
import { CountDialog } from '../ui/count-dialog'
import { Dialog } from '../ui/dialog'
import { showToast } from '../ui/toasts'
import { useDialogForm } from '../ui/use-dialog-form'
import { AFTER_DELETION, failedOf } from './action-texts'
import { ACTIONS, type AskedTickedAction } from './actions'
import { galleryAddress } from './address'
import { useGallery, useTicks } from './gallery-context'
import { fieldsOf, pickedAs, sizeOf, type Picked, type Selection } from './selection'

/**
 * Delay between the confirmation of Retry All and the form, in which the user can undo it (decision
 *
 */
const UNDO_MS = 2000

type Ticked = {
  count: number
  /** The selection as fields of the dialog's form. */
  fields: Record<string, string | readonly string[]>
  /** The address to which the dialog leads back. */
  back: string
  /** How many of them are starred; null if that is unknown. Missing if they are in the URL. */
  starred?: number | null
  /** What is known of each of them. Null if that is not known of all. */
  known: readonly Picked[] | null
}

/** Returns what is ticked, for a dialog about it. */
export function useTicked(): Ticked {
  const { page, scope, search } = useGallery()
  const { selection, count } = useTicks()
  const back = galleryAddress(search, { page: page.pagination.page })
  // Without scripts it is in the URL.
  const sent = new URLSearchParams(search)
  const ids = sent.getAll('ids')
  const { filters, pagination } = page
  const until = sent.get('all')
  if (until !== null) {
    const all = { kind: 'all', until, count: pagination.totalCount, filters, except: [] } as const
    return { count: all.count, fields: fieldsOf(all, scope), back, known: null }
  }
  if (ids.length === 0) {
    const known = knownIn(selection, page)
    const starred = known ? known.filter((one) => one.starred).length : starredIn(selection)
    return { count, fields: fieldsOf(selection, scope), back, starred, known }
  }
  const shown = page.videos.filter(({ id }) => ids.includes(id)).map(pickedAs)
  const known = shown.length === ids.length ? shown : null
  return { count: ids.length, fields: { choice: 'selected', scope, ids }, back, known }
}

/** Returns the ticked videos: as they are now on this page, as they were when ticked on others. */
function knownIn(selection: Selection, { videos }: GalleryPage): readonly Picked[] | null {
  if (selection.kind === 'all') return null
  const here = new Map(videos.map((card) => [card.id, pickedAs(card)]))
  return selection.picked.map((one) => here.get(one.id) ?? one)
}

const starredIn = (selection: Selection): number | null =>
  selection.kind === 'all' && selection.filters.starred !== undefined ? sizeOf(selection) : null

const AFTER_DELETIONS =
  'For 7 days they stay in Recently deleted and can be restored; after that they are gone.'

type TickedQuestion = {
  title: (count: number) => string
  /** `starred`: how many of them are starred. Null if that is unknown. */
  text: (count: number, starred: number | null) => string
  confirmLabel: string
  isDangerous: boolean
  /** Says that nothing is ticked. */
  nothing: string
}

/** Says that starred videos are not deleted with the others. */
export function keptText(starred: number | null): string {
  if (starred === null) return ' Starred videos are kept.'
  if (starred === 0) return ''
  return ` ${plural(starred, 'starred video')} ${starred === 1 ? 'is' : 'are'} kept.`
}

/** The questions of the actions for ticked videos. */
export const TICKED_QUESTIONS: Readonly<Record<AskedTickedAction, TickedQuestion>> = {
  'star-selected': {
    title: (count) => `Star ${plural(count, 'video')}?`,
    text: () =>
      'Starred videos stay when many are deleted, and are not removed because of their age. Videos without a clip are left out.',
    confirmLabel: 'Star',
    isDangerous: false,
    nothing: 'Select the videos to star first.',
  },
  'unstar-selected': {
    title: (count) => `Remove the ${count === 1 ? 'star' : 'stars'} of ${plural(count, 'video')}?`,
    text: () =>
      'They can then be deleted with others again, and are removed when they are too old.',
    confirmLabel: 'Unstar',
    isDangerous: false,
    nothing: 'Select the videos to unstar first.',
  },
  'uncollect-selected': {
    title: (count) => `Remove ${plural(count, 'clip')} from this collection?`,
    text: (count) =>
      count === 1 ? 'It stays in My Videos.' : 'They stay in My Videos, and in other collections.',
    confirmLabel: 'Remove',
    isDangerous: false,
    nothing: 'Select the clips to remove first.',
  },
  'retry-selected': {
    title: (count) => `Retry the failed ones of ${plural(count, 'video')}?`,
    text: () =>
      'Each failed one counts as a video of today. We retry the oldest first, up to today’s quota. The others stay as they are.',
    confirmLabel: 'Retry',
    isDangerous: false,
    nothing: 'Select the videos to retry first.',
  },
  'delete-selected': {
    title: (count) => `Delete ${plural(count, 'video')}?`,
    text: (count, starred) =>
      `${count === 1 ? AFTER_DELETION : AFTER_DELETIONS} Videos in progress are cancelled.${keptText(starred)}`,
    confirmLabel: 'Delete',
    isDangerous: true,
    nothing: 'Select the videos to delete first.',
  },
}

/** Returns whether a dialog is that of an action for ticked videos. */
export const isOfTicked = (name: string): name is AskedTickedAction =>
  Object.hasOwn(TICKED_QUESTIONS, name)

type TickedProps = {
  action: AskedTickedAction
  /** How many of those in the URL are starred. */
  starred: number | null
}

/** Asks for confirmation of an action for the ticked videos. With scripts it closes at once. */
export function TickedDialog({ action, starred: loaded }: TickedProps) {
  const { scope, page } = useGallery()
  const { count, fields, back, known, starred = loaded } = useTicked()
  const { collection } = page.filters
  const close = useClose(back)
  const { title, text, nothing, isDangerous, ...rest } = TICKED_QUESTIONS[action]
  if (count === 0) return <NothingTicked text={nothing} backTo={back} />
  const hasFailed = known?.some((one) => one.hasFailed ?? true) ?? page.counts.failed > 0
  if (action === 'retry-selected' && !hasFailed) return <NothingToRetry backTo={back} />
  const question = {
    ...rest,
    title: title(count),
    text: <p>{text(count, starred)}</p>,
    isDangerous,
    intent: action,
    failed: failedOf(action, scope),
    fields: collection === undefined ? fields : { ...fields, outOf: collection },
    cancelTo: back,
  }
  // Administrators do to many videos of others only what they have counted.
  return scope === 'all' && isDangerous && count > MOST_UNCOUNTED ? (
    <TypedDialog {...question} count={count} />
  ) : (
    <ConfirmDialog {...question} stays={action} onSubmit={close} />
  )
}

/** A confirmation with a typed number. The page stays, so that the ticks stay if it is wrong. */
export function TypedDialog(question: ComponentProps<typeof CountDialog>) {
  const { stays, lastResult, message } = useDialogForm()
  return <CountDialog {...question} stays={stays} lastResult={lastResult} message={message} />
}

/** Returns a function that closes a dialog while its form is being sent. */
export function useClose(back: string): () => void {
  const navigate = useNavigate()
  return () => navigate(back, { replace: true, preventScrollReset: true })
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

const NothingToRetry = ({ backTo }: Pick<NothingProps, 'backTo'>) => (
  <NothingDialog title="No failed videos" text="There is nothing to retry." backTo={backTo} />
)

/**
 * Asks for confirmation before all failed videos are retried. With scripts the form is sent a while
 * after it was confirmed.
 */
export function RetryAllDialog() {
  const { page } = useGallery()
  const { pathname, search } = useLocation()
  const close = useClose(closedAddress(search))
  const submit = useSubmit()
  const quota = useLiveQuota()
  const failed = page.counts.failed
  if (failed === 0) return <NothingToRetry backTo={closedAddress(search)} />
  const retry = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const options = { method: 'post', action: pathname + search, navigate: false } as const
    close()
    afterUndo(() => submit(form, options))
  }
  return (
    <ConfirmDialog
      title={`Retry ${plural(failed, 'failed video')}?`}
      text={
        <p>
          {quota
            ? costText(failed, quota.remaining)
            : `This uses ${plural(failed, 'video')} of today’s quota. We retry the oldest first, up to it.`}
        </p>
      }
      intent="retry-all"
      failed={failedOf('retry-all')}
      confirmLabel={ACTIONS['retry-all'].label}
      isDangerous={false}
      stays="retry-all"
      onSubmit={retry}
    />
  )
}

/** Sends the form unless the user presses Undo. */
function afterUndo(send: () => void): void {
  const timer = setTimeout(send, UNDO_MS)
  showToast({
    kind: 'info',
    title: 'Retrying all failed videos',
    action: { label: 'Undo', onPress: () => clearTimeout(timer) },
  })
}
