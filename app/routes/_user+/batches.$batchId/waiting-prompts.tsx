import { Link, useLocation, useSearchParams } from '@remix-run/react'
import { useRef, type RefObject } from 'react'
import type { BatchSummary, BatchVideo, WaitingPrompt } from '~/domain/batches/types'
import { figure } from '~/lib/figures'
import { paths } from '~/lib/paths'
import { promptAnchor } from '~/lib/prompt-anchor'
import { ActionForm, HiddenFields } from '~/components/ui/action-form'
import { Button, ButtonLink } from '~/components/ui/button'
import { Icon } from '~/components/ui/icon'
import { SubmitButton } from '~/components/ui/submit-button'
import { textLinkClass } from '~/components/ui/text-link'
import { ToolSheet } from '~/components/ui/tool-sheet'
import { useHydrated } from '~/components/ui/use-hydrated'
import { useBeforePaint } from '~/components/ui/use-before-paint'
import { EDIT_PROMPT, EditPrompt, useEditorFocus } from './edit-prompt'
import { LaterDay, type LaterDays } from './later-day'
import { SteerForm } from '~/components/batches/steer-form'
import { CarriedNote } from '~/components/batches/waiting-notes'

type Props = {
  batch: BatchSummary
  prompts: readonly WaitingPrompt[]
  /** Where a prompt is that was sent while somebody edits it. */
  videos: readonly BatchVideo[]
  now: Date
}

/** What a running batch does with its unsent prompts, and what can be done with all of them. Leads to them. */
export function WaitingBatch({ batch, prompts, now }: Omit<Props, 'videos'>) {
  const { id, isPaused, carried, inLine } = batch
  if (prompts.length === 0) return null
  return (
    <div className="space-y-2 text-sm tabular-nums">
      <p className="text-soft">
        <Link to={paths.batchUnsent(id)} className={textLinkClass}>
          {figure(prompts.length)} not sent yet
        </Link>
        {isPaused && ' · paused: nothing is sent until you resume it'}
      </p>
      {carried && (
        <p>
          <CarriedNote carried={carried} isPaused={isPaused} now={now} />
        </p>
      )}
      {/* What is done with a whole batch in line stands above. */}
      {!inLine && (
        <div className="flex flex-wrap gap-2">
          <SteerForm batchId={id} isPaused={isPaused} />
          <ActionForm intent="stop-after-round">
            <HiddenFields fields={{ on: id }} />
            <SubmitButton intent="stop-after-round" look="warning">
              {prompts.length === 1
                ? 'Cancel this prompt'
                : `Cancel these ${figure(prompts.length)} prompts`}
            </SubmitButton>
          </ActionForm>
        </div>
      )}
    </div>
  )
}

/** The id of the list, which links lead to. It is inside the fold, so that browsers open it without scripts. */
const LIST = 'waiting'

/** In the address of a page with the list unfolded. Without scripts the page reloads itself, and would fold it. */
const SHOWN = 'unsent'

/** The prompts of a running batch that have not been sent, folded, and what can be done with each. */
export function WaitingPrompts({ batch, prompts, videos, now }: Props) {
  const { id, isPaused, carried, inLine, inProgress } = batch
  const [search] = useSearchParams()
  const edited = search.get(EDIT_PROMPT)
  const isShown = search.has(SHOWN)
  const isHydrated = useHydrated()
  const fold = useOpenedFold()
  if (prompts.length === 0 && edited === null) return null
  const today = prompts.filter(({ isCarried }) => !isCarried).length
  const isWaiting = isPaused || carried?.isStopped === true
  const laterDays = { carried: isWaiting ? null : carried, now }
  return (
    <section aria-labelledby="waiting-title">
      <details ref={fold} open={isShown || edited !== null}>
        <summary className="relative min-h-11 cursor-pointer py-2 text-lg">
          <h2 id="waiting-title" className="inline font-semibold">
            Not sent yet <span className="tabular-nums text-soft">{figure(prompts.length)}</span>
          </h2>
          {!isHydrated && (
            <Link
              to={isShown ? paths.batchPage(id) : paths.batchUnsent(id)}
              className="without-scripts absolute inset-0"
            >
              <span className="sr-only">{isShown ? 'Fold the list' : 'Unfold the list'}</span>
            </Link>
          )}
        </summary>
        {prompts.length > 0 && (
          <p className="pb-4 text-sm text-soft">
            They are sent in this order. A prompt can be changed until its round starts.
          </p>
        )}
        <ol id={LIST} className="scroll-mt-36 divide-y divide-line border-y border-line">
          {withEdited(prompts, videos, edited).map((row) => (
            <Row
              key={row.id}
              batchId={id}
              row={row}
              isEdited={row.id === edited}
              laterDays={laterDays}
              before={prompts.indexOf(row) - today}
              isInLine={inLine !== null}
              isFirst={row.id === prompts[0]?.id}
              isLast={row.id === prompts.at(-1)?.id}
              endsBatch={!inLine && prompts.length === 1 && inProgress <= today}
            />
          ))}
        </ol>
      </details>
    </section>
  )
}

/** Opens the fold when the address leads into it: before the page scrolls there and a row gets the focus. */
function useOpenedFold(): RefObject<HTMLDetailsElement> {
  const fold = useRef<HTMLDetailsElement>(null)
  const { hash, key } = useLocation()
  useBeforePaint(() => {
    const target = document.getElementById(hash.slice(1))
    if (fold.current?.contains(target)) fold.current.open = true
  }, [hash, key])
  return fold
}

/** A row of the list. `ended`: why it can only be read, although somebody edits it. */
type Entry = WaitingPrompt & { ended?: string }

/**
 * Adds the prompt that somebody edits where it is not among the unsent ones any more, so that its editor
 * stays in its place with what was typed.
 */
function withEdited(
  prompts: readonly WaitingPrompt[],
  videos: readonly BatchVideo[],
  edited: string | null,
): Entry[] {
  if (edited === null || prompts.some(({ id }) => id === edited)) return [...prompts]
  const video = videos.find(({ id }) => id === edited)
  const ended = !video
    ? 'This prompt is not in this batch any more.'
    : video.cell === 'c'
      ? 'This prompt was cancelled.'
      : 'This prompt has been sent already.'
  const { place = 0, name = null, prompt = '' } = video ?? {}
  const none = { picture: null, endPicture: null }
  const gone = { id: edited, place, name, prompt, ...none, isCarried: false, ended }
  return [...prompts, gone].sort((one, other) => one.place - other.place)
}

type RowProps = {
  batchId: string
  row: Entry
  isEdited: boolean
  laterDays: LaterDays
  /** How many prompts of later days come before it, if it is one. */
  before: number
  isInLine: boolean
  isFirst: boolean
  isLast: boolean
  /** Whether the batch ends if it is removed. */
  endsBatch: boolean
}

function Row({ batchId, row, isEdited, laterDays, before, isInLine, ...ends }: RowProps) {
  const { id, place, name, prompt, picture, endPicture, isCarried, ended } = row
  const ref = useEditorFocus(isEdited)
  return (
    <li
      ref={ref}
      id={promptAnchor(place).slice(1)}
      className="relative flex flex-wrap items-start gap-x-3 gap-y-1 py-2"
    >
      <span className="min-w-6 pt-2.5 text-right text-sm tabular-nums text-soft">
        {place > 0 && place}
      </span>
      <div className="min-w-48 flex-1 break-words pt-2 tiny:min-w-0">
        {name && (
          <p dir="auto" className="font-semibold">
            {name}
          </p>
        )}
        {picture && (
          <p dir="auto" className="break-words text-sm text-soft">
            <Icon name="image-play" className="mr-1 inline size-4 align-text-bottom" />
            {[picture, endPicture].filter((one) => one !== null).join(' → ')}
          </p>
        )}
        {isEdited ? (
          <EditPrompt batchId={batchId} row={row} ended={ended} />
        ) : (
          <p dir="auto" className="line-clamp-3">
            {prompt}
          </p>
        )}
      </div>
      {isCarried && !isInLine && (
        <span className="pt-2.5">
          <LaterDay {...laterDays} before={before} />
        </span>
      )}
      {!isEdited && <RowActions batchId={batchId} videoId={id} place={place} {...ends} />}
    </li>
  )
}

type ActionsProps = Pick<RowProps, 'batchId' | 'isFirst' | 'isLast' | 'endsBatch'> & {
  videoId: string
  place: number
}

function RowActions({ batchId, videoId, place, isFirst, isLast, endsBatch }: ActionsProps) {
  const of = `prompt ${place}`
  return (
    <ToolSheet label={`Actions: ${of}`} icon="ellipsis" isSign>
      <div className="tool-list">
        <ActionForm intent="move-prompt">
          <HiddenFields fields={{ on: batchId, videoId }} />
          <MoveButton to="first" label={`Send ${of} first`} disabled={isFirst} />
          <MoveButton to="earlier" label={`Send ${of} earlier`} disabled={isFirst} />
          <MoveButton to="later" label={`Send ${of} later`} disabled={isLast} />
        </ActionForm>
        <ButtonLink look="quiet" to={`?${EDIT_PROMPT}=${videoId}${promptAnchor(place)}`}>
          <Icon name="pencil" className="size-4" />
          Edit {of}
        </ButtonLink>
        <ActionForm intent="remove-prompt">
          <HiddenFields fields={{ on: batchId, videoId }} />
          <Button look="quiet">
            <Icon name="x" className="size-4" />
            Remove {of}
          </Button>
          {endsBatch && (
            <p className="px-3 pb-2 text-xs text-soft">
              This ends the batch and cannot be undone. The prompt can be put back into the box.
            </p>
          )}
        </ActionForm>
      </div>
    </ToolSheet>
  )
}

const MOVES = {
  first: { icon: 'chevrons-up', turn: '' },
  earlier: { icon: 'chevron-down', turn: 'rotate-180' },
  later: { icon: 'chevron-down', turn: '' },
} as const

type MoveProps = { to: keyof typeof MOVES; label: string; disabled: boolean }

const MoveButton = ({ to, label, disabled }: MoveProps) => (
  <Button look="quiet" name="to" value={to} disabled={disabled}>
    <Icon name={MOVES[to].icon} className={`size-4 ${MOVES[to].turn}`} />
    {label}
  </Button>
)
