import type { Mark } from '~/domain/batches/prompt-marks'
import type { ListView } from '~/domain/batches/types'
import { figure, plural } from '~/lib/figures'
import { ActionForm, HiddenFields } from '../ui/action-form'
import { Button } from '../ui/button'
import { Card } from '../ui/card'
import { lineClass } from '../ui/field-frame'
import { SubmitButton } from '../ui/submit-button'

/** How a list was read and what of it is used, with the ways to change both. */
export function ListReading({ list }: { list: ListView }) {
  const { columns, column, encoding, encodings } = list
  const names = columns.map((name, i): [string, string] => [String(i), name])
  return (
    <Card>
      <div className="space-y-4">
        {columns.length > 1 && (
          <Choice
            label="Prompts are in the column"
            button="Use this column"
            name="column"
            value={String(column)}
            options={names}
            others={{ encoding }}
          />
        )}
        {encodings.length > 0 && (
          <Choice
            label="Letters look wrong? Choose the encoding"
            button="Use this encoding"
            name="encoding"
            value={encoding}
            options={encodings}
            others={{ column: String(column) }}
          />
        )}
        <Notes list={list} />
        {list.marks.length > 0 && <Marks list={list} />}
      </div>
    </Card>
  )
}

type ChoiceProps = {
  label: string
  button: string
  name: 'column' | 'encoding'
  value: string
  /** The values to choose from, with their names. */
  options: readonly [string, string][]
  /** What stays as it is. */
  others: Record<string, string>
}

function Choice({ label, button, name, value, options, others }: ChoiceProps) {
  return (
    <ActionForm intent="read-list" preventScrollReset className="flex flex-wrap items-end gap-3">
      <label className="min-w-0 grow basis-48 space-y-1.5 text-sm">
        <span className="block text-soft">{label}</span>
        <select key={value} name={name} defaultValue={value} className={lineClass}>
          {options.map(([one, text]) => (
            <option key={one} value={one}>
              {text}
            </option>
          ))}
        </select>
      </label>
      <HiddenFields fields={others} />
      <SubmitButton intent="read-list" look="plain">
        {button}
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

const MARK_ACTIONS: Record<Mark, (count: number) => string> = {
  heading: (count) => `Leave out ${plural(count, 'heading')}`,
  duplicate: (count) => `Leave out ${plural(count, 'repeated row')}`,
  link: (count) => `Leave out ${plural(count, 'row')} with links`,
  stamp: (count) => `Remove ${plural(count, 'chat stamp')}, keep the words`,
  sign: (count) => `Remove numbers, bullets, quotes from ${plural(count, 'row')}`,
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
