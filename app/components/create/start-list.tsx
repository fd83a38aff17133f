import { receiptFor, type EstimateInputs } from '~/domain/batches/receipt'
import { BATCH_LIMITS } from '~/domain/batches/rules'
import type { BatchView, ListView } from '~/domain/batches/types'
import { TEXT_NAMES } from '~/domain/videos/order-fields'
import { shownPictures } from '~/domain/videos/requests/pictures'
import type { Settings } from '~/domain/videos/requests/drafts'
import { figure, plural } from '~/lib/figures'
import { ActionForm, HiddenFields } from '../ui/action-form'
import { Button } from '../ui/button'
import { Card } from '../ui/card'
import { FieldErrors } from '../ui/field-frame'
import { SubmitButton } from '../ui/submit-button'
import { RatioToggle } from '../videos/ratio-toggle'
import { OrderTextBox } from './order-text-boxes'
import { ReceiptLines } from './receipt-lines'
import { RunningNote } from './running-note'

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

/** Starts the first rows of a list, as many as one batch and the quota take. */
export function StartList({
  list,
  formKey,
  settings,
  estimateInputs,
  now,
  running,
  inLine,
  errors,
}: StartListProps) {
  const { count } = list
  const fits = Math.min(count, BATCH_LIMITS.prompts)
  const { remaining } = estimateInputs
  const first = remaining > 0 ? Math.min(fits, remaining) : fits
  const rest = count - first
  const receipt = receiptFor(fits, estimateInputs, now)
  return (
    <Card>
      <ActionForm intent="start-list" id="start" className="flex scroll-mt-20 flex-col gap-4">
        <HiddenFields
          fields={{ formKey, first: String(first), all: String(fits), version: list.version }}
        />
        {list.pictures && (
          <HiddenFields fields={{ shownPictures: shownPictures(list.pictures.drafts) }} />
        )}
        <RatioToggle key={settings.aspectRatio} defaultValue={settings.aspectRatio} />
        {TEXT_NAMES.map((name) => (
          <OrderTextBox
            key={`${name} ${settings[name]}`}
            name={name}
            defaultValue={settings[name]}
            typed={settings[name]}
            errors={errors[name] ?? []}
          />
        ))}
        <ReceiptLines receipt={receipt} estimateInputs={estimateInputs} now={now} />
        {rest > 0 && !running && (
          <p className="text-sm">
            {count > BATCH_LIMITS.prompts && first === BATCH_LIMITS.prompts
              ? `One batch takes ${BATCH_LIMITS.prompts} prompts.`
              : `${plural(remaining, 'video')} left today.`}{' '}
            The other {figure(rest)} stay in this list.
          </p>
        )}
        <FieldErrors id="first-error" messages={errors.first ?? []} />
        {running ? (
          <RunningNote batch={running} inLine={inLine} intent="queue-list" />
        ) : (
          <SubmitButton intent="start-list" className="w-full">
            {rest > 0
              ? `First ${figure(first)} now, keep ${figure(rest)}`
              : `Generate ${figure(first)} Video(s)`}
          </SubmitButton>
        )}
        {fits > remaining && !running && (
          <Button look="plain" name="intent" value="list-over-days">
            {remaining > 0
              ? `Run ${figure(first)} now, ${figure(fits - first)} on the next days`
              : `Run ${figure(fits)} on the next days`}
          </Button>
        )}
      </ActionForm>
    </Card>
  )
}
