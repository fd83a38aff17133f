import { useLocation } from '@remix-run/react'
import { MOST_UNCOUNTED } from '~/domain/videos/rules'
import type { FilterValues } from '~/domain/videos/types'
import { readDialog } from '~/lib/dialog-address'
import { figure, plural } from '~/lib/figures'
import { galleryAddress } from '~/components/gallery/address'
import {
  keptText,
  NothingDialog,
  NothingTicked,
  TypedDialog,
  useClose,
  useTicked,
} from '~/components/gallery/bulk-dialogs'
import { useGallery } from '~/components/gallery/gallery-context'
import { ConfirmDialog } from '~/components/ui/confirm'
import { CountDialog } from '~/components/ui/count-dialog'
import { usePlatformZone } from '~/components/ui/use-root-data'
import { ALL_WORDS, whoseText } from './all-videos-labels'

type Props = {
  /** How many videos an action on all that match the filters reaches. */
  reach: { all: number; ended: number; starred: number }
  /** The name of the chosen user. */
  owner: string | undefined
  formKey: string
}

/** The confirmation dialogs for actions on many videos, opened by the URL. */
export function AllVideosDialogs(props: Props) {
  const { formKey } = props
  const { search } = useLocation()
  const { name } = readDialog(new URLSearchParams(search))
  if (name === 'regenerate-selected') return <RegenerateSelectedDialog formKey={formKey} />
  if (name === 'delete-all') return <DeleteAllDialog {...props} />
  if (name !== 'regenerate-all') return null
  return <RegenerateAllDialog {...props} />
}

function RegenerateSelectedDialog({ formKey }: { formKey: string }) {
  const { count, fields, back } = useTicked()
  const close = useClose(back)
  if (count === 0) {
    return <NothingTicked text="Select the videos to regenerate first." backTo={back} />
  }
  const question = {
    title: `Regenerate ${plural(count, 'video')}?`,
    text: (
      <p>
        Uses administrator tokens; runs after users’ own videos. Their owners’ quota is untouched,
        and the present clips stay until the new ones are ready.
      </p>
    ),
    intent: 'regenerate-selected',
    failed: 'Regeneration failed',
    fields: { ...fields, formKey },
    confirmLabel: 'Regenerate',
    isDangerous: false,
    cancelTo: back,
  }
  return count > MOST_UNCOUNTED ? (
    <TypedDialog {...question} count={count} />
  ) : (
    <ConfirmDialog {...question} stays="regenerate-selected" onSubmit={close} />
  )
}

type AllProps = Omit<Props, 'formKey'>

function DeleteAllDialog({ reach, owner }: AllProps) {
  const { page, search } = useGallery()
  const timeZone = usePlatformZone()
  const { filters } = page
  const { what, text } = ALL_WORDS[filters.status]
  const count = reach.all - reach.starred
  const unseen = reach.all - page.pagination.totalCount
  if (count === 0) {
    const backTo = galleryAddress(search, {})
    return <NothingDialog title="No videos to delete" text="There are none." backTo={backTo} />
  }
  return (
    <CountDialog
      title={`Delete ${what} videos?`}
      text={`${text} videos ${whoseText(filters, { owner, timeZone })} will be deleted: ${plural(count, 'video')}.${keptText(reach.starred)} They are kept in the trash for 7 days and can be restored from there.${unseenText(unseen)}`}
      intent="delete-all"
      failed="Failed to delete videos"
      fields={fieldsOf(filters)}
      count={count}
      confirmLabel={`Delete ${what}`}
    />
  )
}

function RegenerateAllDialog({ reach, owner, formKey }: Props) {
  const { page, search } = useGallery()
  const timeZone = usePlatformZone()
  const { filters } = page
  const { status } = filters
  if (reach.ended === 0) {
    const backTo = galleryAddress(search, {})
    const text = 'No completed or failed video matches these filters.'
    return <NothingDialog title="Nothing to regenerate" text={text} backTo={backTo} />
  }
  const which = status === 'all' ? 'All completed and failed' : ALL_WORDS[status].text
  return (
    <CountDialog
      title={`Regenerate all ${plural(reach.ended, 'video')}?`}
      text={`${which} videos ${whoseText(filters, { owner, timeZone })} are made again. Uses administrator tokens, at Enterprise speed; runs after users’ own videos. You can stop it on this page.`}
      intent="regenerate-all"
      failed="Regeneration failed"
      fields={{ formKey, ...fieldsOf(filters) }}
      count={reach.ended}
      confirmLabel={`Regenerate ${ALL_WORDS[status].button}`}
    />
  )
}

/** Tells that an action reaches videos that have no card. */
const unseenText = (count: number) =>
  count === 0 ? '' : ` ${figure(count)} of them were never sent, so they are not on the page.`

/** The filters as the fields of a form. */
const fieldsOf = ({ status, aspectRatio, search, ...rest }: FilterValues) => ({
  status,
  aspectRatio,
  search,
  ...Object.fromEntries(
    Object.entries(rest).flatMap(([name, value]) => (value ? [[name, value]] : [])),
  ),
})
