import { useNavigation } from '@remix-run/react'
import { useEffect, useRef, useState } from 'react'
import { receiptFor, type EstimateInputs } from '~/domain/batches/receipt'
import { hasVariants } from '~/domain/lists/wording'
import { hasCells, isForList } from '~/domain/lists/pasted-text'
import { picturesInBox } from '~/domain/batches/picture-names'
import { BATCH_LIMITS, findBrokenJson, parsePromptLines, problemsOf } from '~/domain/batches/rules'
import type { BatchView } from '~/domain/batches/types'
import type { Draft, DraftText } from '~/domain/videos/requests/drafts'
import type { DraftPicture } from '~/domain/videos/requests/pictures'
import type { FormResponse } from '~/http/forms/forms.server'
import { figure, plural } from '~/lib/figures'
import { FailedFields, FormToken } from '~/components/ui/action-form'
import { atFirstTouch } from '~/components/ui/at-first-touch'
import { Button, type ButtonLook } from '~/components/ui/button'
import { useHydrated } from '~/components/ui/use-hydrated'
import { useLatest } from '~/components/ui/use-latest'
import { RatioToggle } from '~/components/videos/ratio-toggle'
import { BulkBox } from './bulk-box'
import { Examples, Folds } from './bulk-additions'
import { BULK_FAILED, CreateForm } from '~/components/create/create-form'
import * as draftLines from './draft-lines'
import { useFileIntake } from './file-intake'
import { isPastedList, ListPreview } from '~/components/create/list-preview'
import { RUN_PART_ID, RunPart } from '~/components/create/run-part'
import { RunningNote } from '~/components/create/running-note'
import {
  overDaysLabel,
  StartQuestion,
  StartSummary,
  useStartChoice,
  type StartChoice,
} from '~/components/create/start-row'
import { typedDraft, typedText } from '~/components/create/typed-draft'
import { useFormDraft } from './use-form-draft'

type Props = {
  userId: string
  formKey: string
  draft: Draft
  failure: FormResponse | null
  /** The user's running batch, if any. It blocks another start. */
  running: BatchView | null
  /** How many batches wait in line behind it. */
  inLine: number
  /** Whether a list of prompts waits on its own page. */
  hasList: boolean
  hasTexts: true | undefined
  /** The pictures of the next batch; null: there are no videos from pictures. */
  draftPictures: readonly DraftPicture[] | null
  estimateInputs: EstimateInputs
  now: Date
}

/**
 * The form for up to a hundred prompts at once. With scripts the last row says what they will mean while the
 * user types, and has the choice of what runs if they do not fit today. Without scripts the receipt is a page of its own, before anything starts.
 */
export function BulkTab(props: Props) {
  const { userId, formKey, draft, failure, running, hasList, estimateInputs, now } = props
  const { draftPictures, inLine } = props
  const { remaining } = estimateInputs
  const form = useRef<HTMLFormElement>(null)
  const isHydrated = useHydrated()
  const { formData } = useNavigation()
  const sending = formData?.has('promptLines') ? formData : null
  const initial: DraftText = typedDraft(failure, 'promptLines') ?? draft
  const options = { userId, kind: 'bulk', textField: 'promptLines', draft, initial } as const
  const moment = { sending, isRefused: failure !== null, lines: draftLines }
  const { fields, sync } = useFormDraft(form, { ...options, ...moment })
  const intake = useFileIntake()
  const noted = useLatest(running)
  const prompts = parsePromptLines(fields.text)
  const count = prompts.length
  const errors = failure?.result.error
  const isList = isForList(fields.text)
  const { says, problems } =
    draftPictures && !isList ? picturesInBox(count, draftPictures) : NO_PICTURES
  // The page of the list names what is wrong with its rows.
  const found = count > 0 && !isList ? [...problemsOf(prompts, 'Line'), ...problems] : []
  const isOver = count > BATCH_LIMITS.prompts && !isList
  // While another batch runs, the line is what can be done.
  const isShort = count > remaining && running === null
  const isReady = count > 0 && found.length === 0 && !isList
  useChoices(failure, isShort && isReady)
  const choices = choicesFor(count, isShort && isReady ? remaining : null)
  const [chosen, choose] = useStartChoice(choices)
  const inList = useCountInList(fields.text, count)
  const submit = { isList, isBlocked: sending !== null || running !== null, start: chosen }
  const isAddable = inLine < BATCH_LIMITS.inLine && (!isHydrated || isReady || isList)
  const line = running && { isQueued: true, isBlocked: sending !== null || !isAddable }
  return (
    <CreateForm tab="bulk" form={form} formKey={formKey} sync={sync} encType="multipart/form-data">
      {/* The form's first button, so that Enter in a field presses it. */}
      <SubmitBatch {...submit} isFirst />
      <FormToken />
      <FailedFields failed={BULK_FAILED} />
      <BulkBox
        initial={initial.text}
        count={isList ? inList : count}
        problems={isHydrated ? found : (errors?.promptLines ?? [])}
        warnings={findBrokenJson(prompts).map(({ line }) => line)}
        onDrop={intake.onDrop}
      />
      <Folds
        intake={intake}
        pictures={draftPictures}
        says={says}
        initial={initial}
        typed={fields}
        errors={errors}
        hasList={hasList || (isOver ? null : false)}
        hasTexts={props.hasTexts}
      />
      <Examples form={form} sync={sync} />
      {isHydrated && found.length === 0 && !isList && isPastedList(prompts, fields.text) && (
        <ListPreview
          prompts={prompts}
          text={fields.text}
          isCleaned={failure !== null && typedText(failure.result, 'cleanList') === 'on'}
        />
      )}
      {isShort && isReady && !isHydrated && failure && (
        <RunPart
          receipt={receiptFor(count, estimateInputs, now)}
          remaining={remaining}
          isDisabled={false}
        />
      )}
      {noted && <RunningNote batch={noted} isOver={running === null} inLine={inLine} />}
      <div className="composer-actions">
        {/* Also of a draft, before the scripts run. */}
        <div className={isHydrated ? 'contents' : 'with-scripts'}>
          {isReady && (
            <StartSummary prompts={chosen.videos} estimateInputs={estimateInputs} now={now} />
          )}
          {isList && <p className="start-summary">{listText(fields.text, inList)}</p>}
          {isShort && isReady && (isHydrated || !failure) && (
            <StartQuestion
              remaining={remaining}
              prompts={count}
              choices={choices}
              chosen={chosen}
              onChoose={choose}
            />
          )}
        </div>
        {isHydrated && isShort && isReady && remaining > 0 && (
          <input type="hidden" name="part" value={remaining} />
        )}
        {isOver && <p className="start-summary">{overText(count)}</p>}
        <RatioToggle defaultValue={initial.aspectRatio} isCompact />
        {isOver && <OpenList />}
        <SubmitBatch {...submit} {...line} look={isOver ? 'plain' : 'primary'} />
      </div>
    </CreateForm>
  )
}

// The words that head columns, in all languages, are a fifth of this page's own scripts.
const loadTables = () => import('~/domain/lists/find-prompts')
atFirstTouch(loadTables)

/** Returns how many prompts a text has: by lines, or of a table. Null while what counts those is loaded. */
function useCountInList(text: string, lines: number): number | null {
  const [tables, setTables] = useState<Awaited<ReturnType<typeof loadTables>> | null>(null)
  const isTable = hasCells(text)
  useEffect(() => {
    // If it cannot be loaded, the page says that it is a table, but not how many prompts it has.
    if (isTable) loadTables().then(setTables, () => undefined)
  }, [isTable])
  if (!isTable) return lines
  return tables?.countInTable(text) ?? null
}

/** If a batch did not fit today and was not started, brings what else can be done into view. */
function useChoices(failure: Props['failure'], isAsked: boolean): void {
  useEffect(() => {
    const choices = isAsked && failure && !failure.toast && document.getElementById(RUN_PART_ID)
    if (!choices) return
    choices.focus({ preventScroll: true })
    choices.scrollIntoView({ block: 'center' })
  }, [failure, isAsked])
}

const LIST_LABEL = 'Continue to the list'
const NO_PICTURES = { says: [], problems: [] }

/** Returns the ways to start. `remaining`: what is left today, if the prompts do not fit. */
function choicesFor(
  count: number,
  remaining: number | null,
): readonly [StartChoice, ...StartChoice[]] {
  if (remaining === null) return [{ intent: 'start-batch', videos: count, label: '' }]
  const rest = figure(count - remaining)
  const overDays = {
    intent: 'run-over-days',
    videos: count,
    label: overDaysLabel(remaining, count - remaining),
  }
  if (remaining === 0) return [overDays]
  const only = `Only ${figure(remaining)}`
  return [
    overDays,
    { intent: 'run-part-hold', videos: remaining, label: `${only}, keep ${rest} in the box` },
    { intent: 'run-part', videos: remaining, label: `${only}, remove the other ${rest}` },
  ]
}

const overText = (count: number): string =>
  `${BATCH_LIMITS.prompts} fit in one batch: the list keeps the other ${figure(count - BATCH_LIMITS.prompts)}.`

const OpenList = () => (
  <Button name="intent" value="open-list" data-submit>
    {LIST_LABEL}
  </Button>
)

/** Says what the next page shows row by row. */
function listText(text: string, prompts: number | null): string {
  // A row with variants is several prompts.
  const noun = hasVariants(text) ? 'row' : 'prompt'
  const many = prompts === null ? '' : plural(prompts, noun)
  if (hasCells(text)) return `A table${many && ` with ${many}`}: look at it first`
  return `${many}: look at ${prompts === 1 ? 'it' : 'them'} first`
}

type SubmitProps = {
  /** How it starts. Without scripts what is in the box is not known. */
  start: StartChoice
  /** Whether the text is shown as a list before anything starts. */
  isList: boolean
  isBlocked: boolean
  isFirst?: boolean
  /** Whether it waits in line behind another batch. */
  isQueued?: boolean
  look?: ButtonLook
}

function SubmitBatch({ start, isList, isBlocked, look = 'primary', ...rest }: SubmitProps) {
  const { isFirst = false, isQueued = false } = rest
  const isHydrated = useHydrated()
  const hidden = isFirst ? { hidden: true, tabIndex: -1 } : { 'data-submit': true }
  const isDisabled = isBlocked || (isHydrated && start.videos === 0)
  const intent = isQueued ? 'queue-batch' : isHydrated ? start.intent : 'review-batch'
  const generate = isQueued ? 'Add to the line' : `Generate ${figure(start.videos)} Video(s)`
  const label = isList ? LIST_LABEL : generate
  return (
    <Button look={look} name="intent" value={intent} disabled={isDisabled} {...hidden}>
      {isHydrated ? (
        label
      ) : (
        <>
          <span className="without-scripts">{isQueued ? generate : 'Continue'}</span>
          {/* As wide as it will be. */}
          <span className="with-scripts">{label}</span>
        </>
      )}
    </Button>
  )
}
