import { Link, useLocation, useNavigate } from '@remix-run/react'
import type { ButtonHTMLAttributes, MouseEvent, ReactNode } from 'react'
import { dialogAddress } from '~/lib/dialog-address'
import { figure } from '~/lib/figures'
import { paths } from '~/lib/paths'
import { Button, buttonClass } from '../ui/button'
import { Icon } from '../ui/icon'
import type { IconName } from '../ui/icon-names'
import { showToast } from '../ui/toasts'
import { ToolSheet } from '../ui/tool-sheet'
import { ACTIONS, TICKED_ACTIONS, type TickedAction, type TickedLook } from './actions'
import type { Choice } from './choice-query'
import {
  downloadList,
  downloadSelected,
  downloadSelectedArchive,
  LISTS,
  showNothingToDownload,
  type Chosen,
} from './downloads'
import { useGallery, useTicks } from './gallery-context'
import { joinSelected } from './join-selected'
import { NOTHING_SELECTED } from './nothing-selected'
import { ShareFilesButton } from './share-file-button'

// The buttons above a gallery. Without scripts each button submits the gallery's form, with the
// ticked cards and the filters, to the endpoint that does the work. With scripts the work is done
// here.

/** The form with the ticked cards. */
export const CHOSEN_FORM = 'chosen'

/**
 * The actions for the ticked videos: those of every day, and the others one press further. `more` are
 * those of administrators.
 */
export function SelectedActions({ more }: { more: ReactNode }) {
  // Failed videos have no clips.
  const hasClips = useGallery().page.filters.status !== 'error'
  const daily = hasClips ? DAILY : DAILY_OF_FAILED
  const others = TICKED_ACTIONS.filter(
    (action) => !daily.includes(action) && (hasClips || !STARS.includes(action)),
  )
  return (
    <div className="ticked-actions">
      {hasClips && (
        <>
          <DownloadButton choice="selected" />
          <SelectedArchiveButton />
          <ShareButton />
        </>
      )}
      {more}
      {daily.map((action) => (
        <TickedActionButton key={action} action={action} />
      ))}
      <ToolSheet label="More" icon="ellipsis" isAbove>
        <div className="tool-list">
          {hasClips && <ShareFilesButton />}
          {hasClips && <JoinButton />}
          <ListButton choice="selected" of="prompts" />
          {hasClips && <ListButton choice="selected" of="posts" />}
          {others.map((action) => (
            <TickedActionButton key={action} action={action} />
          ))}
        </div>
      </ToolSheet>
    </div>
  )
}

/** The actions of the table that stand in the bar. */
const STARS: readonly TickedAction[] = ['star-selected', 'unstar-selected']
const DAILY: readonly TickedAction[] = [...STARS, 'delete-selected']
const DAILY_OF_FAILED: readonly TickedAction[] = ['retry-selected', 'delete-selected']

/** The actions for all videos, and for all that match the filters. */
export function ManyActions({ more }: { more: ReactNode }) {
  const { scope, page } = useGallery()
  const isEverybodys = scope === 'all'
  // The page of a collection has its own.
  if (page.filters.collection !== undefined) return null
  return (
    <div
      role="group"
      aria-label={isEverybodys ? 'Many at once' : 'All videos'}
      className="tool-list"
    >
      <DownloadButton choice="all" />
      <ListButton choice={isEverybodys ? 'filtered' : 'all'} of="prompts" />
      {!isEverybodys && <RetryAllLink />}
      {more}
    </div>
  )
}

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
      form={CHOSEN_FORM}
      data-box={isOfTicked || undefined}
      look="plain"
      onClick={press}
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

/**
 * Saves the ticked videos one by one; without scripts as one archive. For all videos it first says how
 * many they are.
 */
export function DownloadButton({ choice }: { choice: Choice }) {
  const chosen = useChosen()
  const ask = useDownloadQuestion()
  const isOfTicked = choice === 'selected'
  return (
    <RowButton
      label={WORDS[choice]}
      icon="download"
      isOfTicked={isOfTicked}
      formAction={isOfTicked ? paths.api.archive : paths.downloads}
      name="choice"
      value={choice}
      onPress={isOfTicked ? () => void downloadSelected(chosen) : ask}
    />
  )
}

/** Returns a function that opens the dialog of downloads, unless there is nothing to download. */
function useDownloadQuestion(): () => void {
  const { page, search } = useGallery()
  const navigate = useNavigate()
  return () => {
    if (page.counts.completed > 0)
      return navigate(dialogAddress(search, 'download'), { preventScrollReset: true })
    showNothingToDownload()
  }
}

/**
 * Saves the ticked videos as one archive. A posted form, because the address of a link has no room for
 * hundreds of ids.
 */
function SelectedArchiveButton() {
  const chosen = useChosen()
  const { pathname } = useLocation()
  const { search } = useGallery()
  const address = archiveAddress(pathname + search)
  return (
    <RowButton
      label="ZIP"
      icon="archive"
      isOfTicked
      formAction={address}
      formMethod="post"
      name="choice"
      value="selected"
      onPress={() => downloadSelectedArchive(chosen, address)}
    />
  )
}

/** Shares one ticked clip by a link, and several as a collection, which has one. Only of one's own. */
function ShareButton() {
  const { scope, search } = useGallery()
  const { selection, count } = useTicks()
  const navigate = useNavigate()
  if (scope === 'all') return null
  const [only] = count === 1 && selection.kind === 'some' ? selection.picked : []
  const press = () => {
    const address = only?.hasClip
      ? dialogAddress(search, 'share', only.id)
      : dialogAddress(search, 'collect-selected')
    navigate(address, { preventScrollReset: true })
  }
  return (
    <RowButton
      label="Share"
      icon="share-2"
      isOfTicked
      name="dialog"
      value="collect-selected"
      onPress={press}
    />
  )
}

/** Leads to the page where the ticked clips become one film. Only of one's own. */
function JoinButton() {
  const chosen = useChosen()
  const navigate = useNavigate()
  if (chosen.scope === 'all') return null
  return (
    <RowButton
      label="Join"
      icon="film"
      isOfTicked
      formAction={paths.joinClips}
      onPress={() => joinSelected(chosen, navigate)}
    />
  )
}

/** The archive's address. If it is refused, or the session has ended, the browser goes to `from`. */
const archiveAddress = (from: string): string =>
  `${paths.api.archive}?${new URLSearchParams({ from })}`

/** Returns what the actions need to know of the gallery and of what is ticked in it. */
const useChosen = (): Chosen => ({ ...useGallery(), selection: useTicks().selection })

/** Saves a list of the chosen videos as a file: their prompts, or what a scheduler posts. */
function ListButton({ choice, of }: { choice: Choice; of: keyof typeof LISTS }) {
  const chosen = useChosen()
  const { path, label } = LISTS[of]
  return (
    <RowButton
      label={choice === 'selected' ? label : `All ${label}`}
      icon="file-text"
      isOfTicked={choice === 'selected'}
      formAction={path}
      name="choice"
      value={choice}
      onPress={() => void downloadList(chosen, choice, of)}
    />
  )
}

type SelectedProps = { dialog: string; icon: IconName; label: string }

/** Opens a dialog about the ticked videos. */
export function SelectedButton({ dialog, ...button }: SelectedProps) {
  const { search } = useGallery()
  const { count } = useTicks()
  const navigate = useNavigate()
  const press = () => {
    if (count === 0) return showToast(NOTHING_SELECTED)
    navigate(dialogAddress(search, dialog), { preventScrollReset: true })
  }
  return <RowButton {...button} isOfTicked name="dialog" value={dialog} onPress={press} />
}

/** Opens the question of an action, unless administrators do something else instead. */
function TickedActionButton({ action }: { action: TickedAction }) {
  const { scope, page } = useGallery()
  const { label, icon, isOwn = false, ofStarred, ofCollection }: TickedLook = ACTIONS[action]
  const { starred, collection } = page.filters
  if (isOwn && scope === 'all') return null
  if (ofStarred !== undefined && ofStarred !== (starred !== undefined)) return null
  if (ofCollection && collection === undefined) return null
  return <SelectedButton dialog={action} icon={icon} label={label} />
}

/** Asks whether to retry all failed videos. */
export function RetryAllLink() {
  const { page, search } = useGallery()
  const { label, icon } = ACTIONS['retry-all']
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
      className={buttonClass('plain')}
    >
      <Icon name={icon} className="size-4" />
      {label}
      {page.counts.failed > 0 && (
        <span className="text-xs tabular-nums text-soft">{figure(page.counts.failed)}</span>
      )}
    </Link>
  )
}
