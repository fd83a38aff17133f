import { Form } from '@remix-run/react'
import type { EstimateInputs } from '~/domain/batches/receipt'
import { BATCH_LIMITS } from '~/domain/batches/rules'
import type { BatchView } from '~/domain/batches/types'
import type { ListView } from '~/domain/lists/types'
import { TEXT_NAMES } from '~/domain/videos/order-fields'
import { shownPictures } from '~/domain/videos/requests/pictures'
import type { Settings } from '~/domain/videos/requests/drafts'
import { figure } from '~/lib/figures'
import { FailedFields, FormToken, HiddenFields } from '~/components/ui/action-form'
import { FieldErrors } from '~/components/ui/field-frame'
import { SubmitButton } from '~/components/ui/submit-button'
import { useHydrated } from '~/components/ui/use-hydrated'
import { RatioToggle } from '~/components/videos/ratio-toggle'
import { OrderTextBox } from '~/components/create/order-text-boxes'
import { BULK_FAILED } from '~/components/create/create-form'
import { RunningNote } from '~/components/create/running-note'
import {
  overDaysLabel,
  StartQuestion,
  StartSummary,
  useStartChoice,
  type StartChoice,
} from '~/components/create/start-row'

export type StartListProps = {
  list: ListView
  formKey: string
  settings: Settings
  estimateInputs: EstimateInputs
  now: Date
  /** The user's running batch, if any. It blocks another start. */
  running: BatchView | null
  /** How many batches wait in line behind it. */
  inLine: number
  errors: Partial<Record<string, string[] | null>>
}

/** Id of the form, whose buttons are in the page's last row. */
const FORM_ID = 'start-list'

/** How many prompts one batch takes, and how many of them are for today: all, if none is left today. */
function partsOf({ count }: ListView, { remaining }: EstimateInputs) {
  const all = Math.min(count, BATCH_LIMITS.prompts)
  return { all, first: remaining > 0 ? Math.min(all, remaining) : all }
}

/** The form that starts the first rows of a list: what they have in common. */
export function StartListForm(props: StartListProps) {
  const { list, formKey, settings, estimateInputs, running, inLine, errors } = props
  const { all, first } = partsOf(list, estimateInputs)
  return (
    <Form method="post" id={FORM_ID} className="contents">
      <FormToken />
      <FailedFields failed={BULK_FAILED} />
      <HiddenFields
        fields={{ formKey, first: String(first), all: String(all), version: list.version }}
      />
      {list.pictures && (
        <HiddenFields fields={{ shownPictures: shownPictures(list.pictures.drafts) }} />
      )}
      <div className="basis-full space-y-3">
        <FieldErrors id="first-error" messages={errors.first ?? []} />
        {running && <RunningNote batch={running} inLine={inLine} intent="queue-list" />}
        <RatioToggle key={settings.aspectRatio} defaultValue={settings.aspectRatio} />
      </div>
      {TEXT_NAMES.map((name) => (
        <OrderTextBox
          key={`${name} ${settings[name]}`}
          name={name}
          defaultValue={settings[name]}
          typed={settings[name]}
          errors={errors[name] ?? []}
        />
      ))}
    </Form>
  )
}

/**
 * The row that stays at the foot of the window: what a start of the list means, the choice of what runs if
 * it does not fit today, and the button. Without scripts each choice is a button.
 */
export function StartListRow({ list, estimateInputs, now, running }: StartListProps) {
  const isHydrated = useHydrated()
  const choices = choicesFor(list, estimateInputs, running !== null)
  const [chosen, choose] = useStartChoice(choices)
  const { remaining } = estimateInputs
  const { all } = partsOf(list, estimateInputs)
  const rest = list.count - all
  const isShort = all > remaining && running === null
  return (
    <div className="start-row">
      <StartSummary
        prompts={isHydrated ? chosen.videos : all}
        estimateInputs={estimateInputs}
        now={now}
      >
        {rest > 0 && (
          <p className="text-xs text-soft">
            One batch takes {BATCH_LIMITS.prompts} prompts. The other {figure(rest)} stay in this
            list.
          </p>
        )}
      </StartSummary>
      {isShort && (
        <StartQuestion
          remaining={remaining}
          prompts={all}
          choices={isHydrated ? choices : []}
          chosen={chosen}
          onChoose={choose}
        />
      )}
      {(isHydrated ? [chosen] : choices).map(({ intent, videos, label }, i) => (
        <SubmitButton
          key={isHydrated ? 'chosen' : intent}
          form={FORM_ID}
          intent={intent}
          name="intent"
          value={intent}
          look={i === 0 ? 'primary' : 'plain'}
          disabled={running !== null}
        >
          {isHydrated || !isShort ? `Generate ${figure(videos)} Video(s)` : label}
        </SubmitButton>
      ))}
    </div>
  )
}

/** Returns the ways to start the list. */
function choicesFor(
  list: ListView,
  inputs: EstimateInputs,
  isWaiting: boolean,
): readonly [StartChoice, ...StartChoice[]] {
  const { all, first } = partsOf(list, inputs)
  const { remaining } = inputs
  const now = { intent: 'start-list', videos: first }
  if (all <= remaining || isWaiting) return [{ ...now, label: '' }]
  const overDays = {
    intent: 'list-over-days',
    videos: all,
    label: overDaysLabel(remaining, all - remaining),
  }
  if (remaining === 0) return [overDays]
  const kept = figure(list.count - first)
  return [overDays, { ...now, label: `Only ${figure(first)}, keep ${kept} in the list` }]
}
