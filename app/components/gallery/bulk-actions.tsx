import { Link, useLocation, useNavigate } from '@remix-run/react'
import type { ButtonHTMLAttributes, MouseEvent } from 'react'
import { dialogAddress } from '~/lib/dialog-address'
import { paths } from '~/lib/paths'
import { Button, ButtonLink, buttonClass } from '../ui/button'
import { Icon } from '../ui/icon'
import type { IconName } from '../ui/icon-names'
import { showToast } from '../ui/toasts'
import { withGalleryActions } from './gallery-actions-on-demand'
import { queryOf, type Choice } from './choice-query'
import { useGallery } from './gallery-context'
import { NOTHING_SELECTED } from './nothing-selected'

// The buttons above a gallery. Without scripts each button submits the gallery's form, with the
// ticked cards and the filters, to the endpoint that does the work. With scripts the work is done
// here.

/** Inconspicuous until a card is ticked (app/styles/tailwind.css). */
const OF_TICKED = 'of-ticked'

type RowProps = ButtonHTMLAttributes<HTMLButtonElement> & {
  label: string
  icon: IconName
  isOfTicked: boolean
  /** Does the work with scripts. Without them the button sends the form. */
  onPress: () => void
}

function RowButton({ label, icon, isOfTicked, onPress, ...button }: RowProps) {
  const press = (event: MouseEvent) => {
    event.preventDefault()
    onPress()
  }
  return (
    <Button
      data-box={isOfTicked || undefined}
      look="plain"
      onClick={press}
      className={`md:min-h-9 md:px-3 ${isOfTicked ? OF_TICKED : ''}`}
      {...button}
    >
      <Icon name={icon} className="size-4" />
      {label}
    </Button>
  )
}

const WORDS = {
  selected: 'Download Selected',
  all: 'Download All',
  filtered: 'Download Filtered',
} as const satisfies Record<Choice, string>

/** Saves the chosen videos one by one. Without scripts they are saved as one archive. */
export function DownloadButton({ choice }: { choice: Choice }) {
  const gallery = useGallery()
  const press = () => withGalleryActions(({ downloadChosen }) => downloadChosen(gallery, choice))
  return (
    <RowButton
      label={WORDS[choice]}
      icon="download"
      isOfTicked={choice === 'selected'}
      formAction={paths.api.archive}
      name="choice"
      value={choice}
      onPress={() => void press()}
    />
  )
}

/**
 * Saves the chosen videos as one archive: resumable, and suited to many videos and to weak devices.
 */
export function ArchiveLink({ choice }: { choice: Exclude<Choice, 'selected'> }) {
  const gallery = useGallery()
  const { pathname } = useLocation()
  if (gallery.page.counts.completed === 0) return null
  const query = queryOf(gallery, choice)
  query.set('from', pathname + gallery.search)
  const press = (event: MouseEvent) => {
    // The browser would replace the page by its own error page.
    if (!navigator.onLine) event.preventDefault()
    void withGalleryActions(({ tellArchive }) => tellArchive())
  }
  return (
    <ButtonLink
      look="plain"
      to={`${paths.api.archive}?${query}`}
      reloadDocument
      onClick={press}
      className="md:min-h-9 md:px-3"
    >
      <Icon name="archive" className="size-4" />
      Download as ZIP
    </ButtonLink>
  )
}

/** Saves the prompts of the chosen videos as a text file. */
export function PromptsButton({ choice }: { choice: Choice }) {
  const gallery = useGallery()
  const press = () => withGalleryActions(({ downloadPrompts }) => downloadPrompts(gallery, choice))
  return (
    <RowButton
      label={choice === 'selected' ? 'Prompts' : 'All Prompts'}
      icon="file-text"
      isOfTicked={choice === 'selected'}
      formAction={paths.prompts}
      name="choice"
      value={choice}
      onPress={() => void press()}
    />
  )
}

type SelectedProps = { dialog: string; icon: IconName; label: string }

/** Opens a dialog about the ticked videos. */
export function SelectedButton({ dialog, ...button }: SelectedProps) {
  const { selected, search } = useGallery()
  const navigate = useNavigate()
  const press = () => {
    if (selected.length === 0) return showToast(NOTHING_SELECTED)
    navigate(dialogAddress(search, dialog), { preventScrollReset: true })
  }
  return <RowButton {...button} isOfTicked name="dialog" value={dialog} onPress={press} />
}

/** Asks whether to delete the ticked videos. */
export const DeleteSelectedButton = () => (
  <SelectedButton dialog="delete-selected" icon="trash-2" label="Delete Selected" />
)

/** Asks whether to retry all failed videos. */
export function RetryAllLink() {
  const { page, search } = useGallery()
  const press = (event: MouseEvent) => {
    if (page.counts.failed > 0) return
    event.preventDefault()
    showToast({ kind: 'info', title: 'No failed videos' })
  }
  return (
    <Link
      to={dialogAddress(search, 'retry-all')}
      preventScrollReset
      onClick={press}
      className={buttonClass('plain', 'md:min-h-9 md:px-3')}
    >
      <Icon name="rotate-cw" className="size-4" />
      Retry All
    </Link>
  )
}
