import { Link, useNavigation } from '@remix-run/react'
import { useEffect, useRef } from 'react'
import { receiptFor, type EstimateInputs } from '~/domain/batches/receipt'
import { isForList } from '~/domain/batches/pasted-text'
import { picturesInBox } from '~/domain/batches/picture-names'
import { findBrokenJson, parsePromptLines, problemsOf } from '~/domain/batches/rules'
import type { BatchView } from '~/domain/batches/types'
import type { Draft, DraftText } from '~/domain/videos/requests/drafts'
import type { DraftPicture } from '~/domain/videos/requests/pictures'
import type { FormResponse } from '~/http/forms/forms.server'
import { EXAMPLE_PROMPTS } from '~/lib/example-prompts'
import { figure } from '~/lib/figures'
import { paths } from '~/lib/paths'
import { excerpt } from '~/lib/text'
import { FormToken } from '../ui/action-form'
import { Button, buttonClass } from '../ui/button'
import { useHydrated } from '../ui/use-hydrated'
import { useLatest } from '../ui/use-latest'
import { RatioToggle } from '../videos/ratio-toggle'
import { BulkBox } from './bulk-box'
import { EXAMPLE_CHARACTERS } from './chip'
import { CreateForm } from './create-form'
import { DraftPictures } from './draft-pictures'
import * as draftLines from './draft-lines'
import { FileIntake, useFileIntake } from './file-intake'
import { isPastedList, ListPreview } from './list-preview'
import { OrderTextBoxes } from './order-text-boxes'
import { ReceiptLines } from './receipt-lines'
import { RUN_PART_ID, RunPart } from './run-part'
import { RunningNote } from './running-note'
import { typedDraft, typedText } from './typed-draft'
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
  /** The pictures of the next batch; null: there are no videos from pictures. */
  draftPictures: readonly DraftPicture[] | null
  estimateInputs: EstimateInputs
  now: Date
}

/**
 * The form for up to a hundred prompts at once. With scripts the receipt appears below the box
 * while the user types. Without scripts the receipt is a page of its own, before anything starts.
 */
export function BulkTab(props: Props) {
  const { userId, formKey, draft, failure, running, hasList, estimateInputs, now } = props
  const { draftPictures, inLine } = props
  const form = useRef<HTMLFormElement>(null)
  const isHydrated = useHydrated()
  const { formData } = useNavigation()
  const sending = formData?.has('promptLines') ? formData : null
  const initial: DraftText = typedDraft(failure, 'promptLines') ?? draft
  const options = { userId, kind: 'bulk', textField: 'promptLines', draft, initial } as const
  const isRefused = failure !== null
  const { fields, sync } = useFormDraft(form, { ...options, sending, isRefused, lines: draftLines })
  const intake = useFileIntake()
  const noted = useLatest(running)
  useChoices(failure)
  const prompts = parsePromptLines(fields.text)
  const count = prompts.length
  const errors = failure?.result.error
  const isList = isForList(fields.text)
  const { says, problems } =
    draftPictures && !isList ? picturesInBox(prompts, draftPictures) : NO_PICTURES
  const found = count > 0 ? [...problemsOf(prompts, 'Line'), ...problems] : []
  // While another batch runs, the line is what can be done.
  const isShort = count > estimateInputs.remaining && running === null
  const isBlocked = sending !== null || running !== null
  const receipt =
    count > 0 && found.length === 0 && !isList ? receiptFor(count, estimateInputs, now) : null
  return (
    <CreateForm tab="bulk" form={form} formKey={formKey} sync={sync} encType="multipart/form-data">
      {/* The form's first button, so that Enter in a field presses it. */}
      <SubmitBatch count={count} isList={isList} isBlocked={isBlocked} isFirst />
      <FormToken />
      <BulkBox
        initial={initial.text}
        count={count}
        problems={isHydrated ? found : (errors?.promptLines ?? [])}
        warnings={findBrokenJson(prompts).map(({ line }) => line)}
        onDrop={intake.onDrop}
      />
      <Examples form={form} sync={sync} />
      <FileIntake {...intake} errors={errors?.file ?? []} />
      {draftPictures && (
        <DraftPictures pictures={draftPictures} says={says} errors={errors?.pictures ?? []} />
      )}
      <OrderTextBoxes initial={initial} typed={fields} errors={errors} />
      {hasList ? (
        <Link to={paths.list} className={buttonClass('plain', 'self-start')}>
          Open the list of prompts
        </Link>
      ) : (
        <Button look="quiet" name="intent" value="open-list" className="self-start">
          Edit as a list
        </Button>
      )}
      {isHydrated && found.length === 0 && !isList && isPastedList(prompts, fields.text) && (
        <ListPreview
          prompts={prompts}
          text={fields.text}
          isCleaned={failure !== null && typedText(failure.result, 'cleanList') === 'on'}
        />
      )}
      {isList && isHydrated && (
        <p className="text-sm text-soft">
          Your text has spreadsheet cells, chat messages or words in braces. You see each prompt
          before anything starts.
        </p>
      )}
      {receipt && isHydrated && (
        <section aria-label="Receipt" className="rounded border border-line bg-sunken p-3">
          <ReceiptLines receipt={receipt} estimateInputs={estimateInputs} now={now} />
        </section>
      )}
      {isShort && receipt && (isHydrated || failure) && (
        <RunPart
          receipt={receipt}
          remaining={estimateInputs.remaining}
          isDisabled={sending !== null}
        />
      )}
      {noted && (
        <RunningNote
          batch={noted}
          isOver={running === null}
          inLine={inLine}
          intent="queue-batch"
          isEmpty={isHydrated && receipt === null && !isList}
        />
      )}
      <div className="composer-actions">
        <RatioToggle defaultValue={initial.aspectRatio} isCompact />
        <SubmitBatch count={count} isList={isList} isBlocked={isBlocked} />
      </div>
    </CreateForm>
  )
}

/** After a refusal, brings the choices for a batch that is too large into view. */
function useChoices(failure: Props['failure']): void {
  useEffect(() => {
    const choices = failure?.intent === 'start-batch' && document.getElementById(RUN_PART_ID)
    if (!choices) return
    choices.focus({ preventScroll: true })
    choices.scrollIntoView({ block: 'center' })
  }, [failure])
}

const NO_PICTURES = { says: [], problems: [] }

type SubmitProps = {
  count: number
  /** Whether the text is shown as a list before anything starts. */
  isList: boolean
  isBlocked: boolean
  isFirst?: boolean
}

function SubmitBatch({ count, isList, isBlocked, isFirst = false }: SubmitProps) {
  const isHydrated = useHydrated()
  const hidden = isFirst ? { hidden: true, tabIndex: -1 } : { 'data-submit': true }
  const isDisabled = isBlocked || (isHydrated && count === 0)
  return (
    <Button
      name="intent"
      value={isHydrated ? 'start-batch' : 'review-batch'}
      disabled={isDisabled}
      {...hidden}
    >
      {!isHydrated
        ? 'Continue to the receipt'
        : isList
          ? 'Continue to the list'
          : `Generate ${figure(count)} Video(s)`}
    </Button>
  )
}

type ExampleProps = { form: React.RefObject<HTMLFormElement>; sync: () => void }

/** Each example adds a line to the box. Without scripts the server adds it. */
function Examples({ form, sync }: ExampleProps) {
  const add = (text: string) => {
    const box = form.current?.elements.namedItem('promptLines')
    if (!(box instanceof HTMLTextAreaElement)) return
    box.value = [box.value.trimEnd(), text].filter(Boolean).join('\n')
    sync()
  }
  return (
    <ul className="examples" aria-label="Example prompts">
      {EXAMPLE_PROMPTS.map((text, index) => (
        <li key={text}>
          <button
            name="intent"
            value={`add-example-${index}`}
            formNoValidate
            title={text}
            onClick={(event) => {
              event.preventDefault()
              add(text)
            }}
            className="example-chip"
          >
            {excerpt(text, EXAMPLE_CHARACTERS)}
          </button>
        </li>
      ))}
    </ul>
  )
}
