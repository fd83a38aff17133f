import { Link } from '@remix-run/react'
import type { Mark } from '~/domain/batches/prompt-marks'
import { receiptFor, type EstimateInputs } from '~/domain/batches/receipt'
import { BATCH_LIMITS } from '~/domain/batches/rules'
import type { BatchView, ListRow, ListView } from '~/domain/batches/types'
import { TEXT_NAMES } from '~/domain/videos/order-fields'
import type { Settings } from '~/domain/videos/requests/drafts'
import { figure, plural } from '~/lib/figures'
import { paths } from '~/lib/paths'
import { ActionForm, HiddenFields } from '../ui/action-form'
import { Badge } from '../ui/badge'
import { Button, buttonClass } from '../ui/button'
import { Card } from '../ui/card'
import { DataCell, DataRow, DataTable } from '../ui/data-table'
import { FieldErrors, lineClass } from '../ui/field-frame'
import { Icon } from '../ui/icon'
import { SubmitButton } from '../ui/submit-button'
import { RatioToggle } from '../videos/ratio-toggle'
import { OrderTextBox } from './order-text-boxes'
import { ReceiptLines } from './receipt-lines'

type Props = {
  list: ListView
  formKey: string
  settings: Settings
  estimateInputs: EstimateInputs
  now: Date
  /** The user's running batch, if any. It blocks another start. */
  running: BatchView | null
  errors: Partial<Record<string, string[] | null>>
}

/**
 * The prompts of a file or a table before anything is ordered: which column they are in, which rows
 * are probably none, and how many are started now. Every button sends a form, so it works the same
 * without scripts.
 */
export function PromptList(props: Props) {
  const { list } = props
  return (
    <>
      <Card>
        <div className="space-y-4">
          {(list.columns.length > 1 || list.encodings.length > 0) && <Reading list={list} />}
          <Notes list={list} />
          {list.marks.length > 0 && <Marks list={list} />}
        </div>
      </Card>
      {list.count === 0 ? (
        <p className="text-soft">Every row is left out.</p>
      ) : (
        <>
          <Rows list={list} />
          <Start {...props} />
        </>
      )}
      <div className="flex flex-wrap gap-2">
        {list.count > 0 && (
          <ActionForm intent="list-to-box">
            <SubmitButton intent="list-to-box" look="plain">
              Put all into the box, one per line
            </SubmitButton>
          </ActionForm>
        )}
        <ActionForm intent="discard-list">
          <SubmitButton intent="discard-list" look="warning">
            Remove the list
          </SubmitButton>
        </ActionForm>
        <Link to={paths.create('bulk')} className={buttonClass('plain')}>
          Back, keep the list
        </Link>
      </div>
    </>
  )
}

/** Which column and encoding the prompts are read in. */
function Reading({ list: { columns, column, encoding, encodings } }: { list: ListView }) {
  return (
    <ActionForm intent="read-list" preventScrollReset className="flex flex-wrap items-end gap-3">
      <label className="min-w-0 grow space-y-1.5 text-sm">
        <span className="block text-soft">Prompts are in the column</span>
        <select key={column} name="column" defaultValue={column} className={lineClass}>
          {columns.map((name, i) => (
            <option key={`${i}:${name}`} value={i}>
              {name}
            </option>
          ))}
        </select>
      </label>
      {encodings.length > 0 && (
        <label className="min-w-0 grow space-y-1.5 text-sm">
          <span className="block text-soft">Letters look wrong? Choose the encoding</span>
          <select key={encoding} name="encoding" defaultValue={encoding} className={lineClass}>
            {encodings.map(([value, name]) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
      <SubmitButton intent="read-list" look="plain">
        Read it so
      </SubmitButton>
    </ActionForm>
  )
}

function Notes({ list: { count, out, done, notes } }: { list: ListView }) {
  return (
    <div className="space-y-2 text-sm">
      <p className="font-medium">
        {plural(count, 'prompt')}
        {out > 0 && <span className="font-normal text-soft">; {plural(out, 'row')} left out</span>}
        {done > 0 && <span className="font-normal text-soft">; {figure(done)} started before</span>}
      </p>
      {notes.length > 0 && (
        <ul className="list-disc space-y-0.5 break-words pl-5 text-soft">
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
      {out > 0 && (
        <ActionForm intent="bring-back" preventScrollReset>
          <SubmitButton intent="bring-back" look="plain">
            Bring back all rows
          </SubmitButton>
        </ActionForm>
      )}
    </div>
  )
}

const MARK_NAMES: Record<Mark, string> = {
  heading: 'Heading',
  duplicate: 'Repeated',
  link: 'Link',
  stamp: 'Chat stamp',
  long: 'Too long',
}

const MARK_ACTIONS: Record<Mark, (count: number) => string> = {
  heading: (count) => `Leave out ${plural(count, 'heading')}`,
  duplicate: (count) => `Leave out ${plural(count, 'repeated row')}`,
  link: (count) => `Leave out ${plural(count, 'row')} with links`,
  stamp: (count) => `Remove ${plural(count, 'chat stamp')}, keep the words`,
  long: (count) => `Leave out ${plural(count, 'row')} that are too long`,
}

function Marks({ list: { marks } }: { list: ListView }) {
  return (
    <ActionForm
      intent="leave-marked"
      preventScrollReset
      className="flex flex-wrap gap-2"
      aria-label="Rows that may be no prompts"
    >
      {marks.map(({ mark, count }) => (
        <Button key={mark} look="plain" name="mark" value={mark}>
          {MARK_ACTIONS[mark](count)}
        </Button>
      ))}
    </ActionForm>
  )
}

const COLUMNS = ['Row', 'Prompt', { label: 'Leave out', className: 'sr-only' }]

function Rows({ list: { rows, count } }: { list: ListView }) {
  return (
    <ActionForm intent="leave-row" preventScrollReset className="space-y-2">
      <DataTable caption="Prompts" columns={COLUMNS}>
        {rows.map((row) => (
          <Row key={row.row} {...row} />
        ))}
      </DataTable>
      {count > rows.length && (
        <p className="text-sm text-soft">and {plural(count - rows.length, 'more row')}</p>
      )}
    </ActionForm>
  )
}

function Row({ row, prompt, marks }: ListRow) {
  return (
    <DataRow>
      <DataCell className="tabular-nums text-soft">{row + 1}</DataCell>
      <DataCell place="name">
        <p dir="auto" className="whitespace-pre-line break-words">
          {prompt}
        </p>
        {marks.map((mark) => (
          <Badge key={mark} tone="warn">
            {MARK_NAMES[mark]}
          </Badge>
        ))}
      </DataCell>
      <DataCell place="end">
        <Button look="quiet" name="row" value={row} aria-label={`Leave out row ${row + 1}`}>
          <Icon name="trash-2" className="size-4" />
        </Button>
      </DataCell>
    </DataRow>
  )
}

function Start({ list, formKey, settings, estimateInputs, now, running, errors }: Props) {
  const { count } = list
  const fits = Math.min(count, BATCH_LIMITS.prompts)
  const { remaining } = estimateInputs
  const first = remaining > 0 ? Math.min(fits, remaining) : fits
  const rest = count - first
  return (
    <Card>
      <ActionForm intent="start-list" className="flex flex-col gap-4">
        <HiddenFields fields={{ formKey, first: String(first), version: list.version }} />
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
        <ReceiptLines
          receipt={receiptFor(first, estimateInputs, now)}
          estimateInputs={estimateInputs}
          now={now}
        />
        {rest > 0 && (
          <p className="text-sm">
            {count > BATCH_LIMITS.prompts && first === BATCH_LIMITS.prompts
              ? `One batch takes ${BATCH_LIMITS.prompts} prompts.`
              : `${plural(remaining, 'video')} left today.`}{' '}
            The other {figure(rest)} stay in this list.
          </p>
        )}
        <FieldErrors id="first-error" messages={errors.first ?? []} />
        {running && (
          <p className="text-sm">
            A batch is being processed. One batch runs at a time.{' '}
            <Link to={paths.batch(running.id)} className="underline underline-offset-4">
              Show the running batch
            </Link>
          </p>
        )}
        <SubmitButton intent="start-list" disabled={running !== null} className="w-full">
          {rest > 0
            ? `First ${figure(first)} now, keep ${figure(rest)}`
            : `Generate ${figure(first)} Video(s)`}
        </SubmitButton>
      </ActionForm>
    </Card>
  )
}
