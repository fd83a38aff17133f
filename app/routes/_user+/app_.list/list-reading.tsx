import { Form } from '@remix-run/react'
import type { ListView, Mark, SavedWording } from '~/domain/lists/types'
import { figure, plural } from '~/lib/figures'
import { excerpt } from '~/lib/text'
import { ActionForm, FormToken, HiddenFields } from '~/components/ui/action-form'
import { Button } from '~/components/ui/button'
import { Card } from '~/components/ui/card'
import { FieldFrame, inputClass } from '~/components/ui/field-frame'
import { SubmitButton } from '~/components/ui/submit-button'
import { Choice } from './list-choice'

type Props = {
  list: ListView
  wording: WordingProps['typed']
  savedWordings: WordingProps['saved']
}

/** How a list was read and what of it is used, with the ways to change both. */
export function ListReading({ list, wording, savedWordings }: Props) {
  const { columns, column, isColumnKnown, encoding, encodings, sheets, sheet } = list
  const names = columns.map((name, i): [string, string] => [String(i), name])
  return (
    <Card>
      <div className="space-y-3">
        <Notes list={list} />
        {list.marks.length > 0 && <Marks list={list} />}
        <div className="fold-row">
          {sheets.length > 1 && (
            <details>
              <summary className="fold-summary is-word">Sheet: {sheets[sheet]}</summary>
              <Choice
                intent="read-sheet"
                label="Prompts are in the sheet"
                button="Use this sheet"
                name="sheet"
                value={String(sheet)}
                options={sheets.map((name, i) => [String(i), name])}
              />
            </details>
          )}
          {columns.length > 1 && (
            <details open={!isColumnKnown}>
              <summary className="fold-summary is-word">Column: {columns[column]}</summary>
              <Choice
                label="Prompts are in the column"
                button="Use this column"
                name="column"
                value={String(column)}
                options={names}
                others={{ encoding }}
              />
            </details>
          )}
          {encodings.length > 0 && (
            <details>
              <summary className="fold-summary is-word">Letters look wrong?</summary>
              <Choice
                label="Letters look wrong? Choose the encoding"
                button="Use this encoding"
                name="encoding"
                value={encoding}
                options={encodings}
                others={{ column: String(column) }}
              />
            </details>
          )}
          <Wording list={list} typed={wording} saved={savedWordings} />
        </div>
      </div>
    </Card>
  )
}

function Notes({
  list: { count, out, done, notes, hasOwn, variants, rewritten },
}: {
  list: ListView
}) {
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
      {hasOwn !== null && (
        <ActionForm intent="own-settings" preventScrollReset>
          <Button look="plain" name="hasOwn" value={hasOwn ? 'no' : 'yes'}>
            {hasOwn ? 'Use the same settings for all rows' : 'Use each row’s own settings'}
          </Button>
        </ActionForm>
      )}
      {variants.rows > 0 && (
        <ActionForm
          intent="write-out"
          preventScrollReset
          className="flex flex-wrap items-center gap-x-3 gap-y-2"
        >
          <p>
            {plural(variants.rows, 'row')} with variants such as {'{red|blue}'}:{' '}
            {variants.isWrittenOut ? 'each variant is a prompt.' : 'used as typed.'}
          </p>
          <Button look="plain" name="isWrittenOut" value={variants.isWrittenOut ? 'no' : 'yes'}>
            {variants.isWrittenOut ? 'Use them as typed' : 'Make a prompt of each variant'}
          </Button>
        </ActionForm>
      )}
      {rewritten > 0 && (
        <ActionForm
          intent="as-before"
          preventScrollReset
          className="flex flex-wrap items-center gap-x-3 gap-y-2"
        >
          <p>{plural(rewritten, 'row')} with new words.</p>
          <SubmitButton intent="as-before" look="plain">
            Use all as they were
          </SubmitButton>
        </ActionForm>
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
  place: (count) => `Leave out ${plural(count, 'row')} with an unfilled {…}`,
  gap: (count) => `Leave out ${plural(count, 'row')} with an empty cell`,
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

type WordingProps = {
  list: ListView
  /** What was typed into a form that was refused, and why. */
  typed: { text: string; errors: readonly string[] } | null
  saved: readonly SavedWording[]
}

/** How every prompt is written: the same beginning or ending, or a sentence with the cells of its row. */
function Wording({ list: { wording, places, rows }, typed, saved }: WordingProps) {
  const text = typed?.text ?? wording
  const isUsual = text === places[0]
  return (
    <details key={text} open={!isUsual || saved.length > 0} className="text-sm">
      <summary className="fold-summary">Same beginning or ending for all prompts</summary>
      <Form method="post" preventScrollReset className="space-y-3 pb-1">
        <FieldFrame
          id="wording"
          label="Write every prompt as"
          hint={`Write before or after {prompt}, for example: {prompt}, in the rain. ${places.length > 1 ? `${places.slice(0, MOST_PLACES).join(', ')} stand for the cells of a row. ` : ''}{red|blue} makes one prompt with each.`}
          hintId="wording-hint"
          errors={typed?.errors}
          errorId="wording-error"
        >
          <textarea
            id="wording"
            name="wording"
            rows={2}
            defaultValue={text}
            className={inputClass}
            aria-describedby="wording-hint wording-error"
            aria-invalid={typed !== null}
          />
        </FieldFrame>
        {rows[0] && (
          <p dir="auto" className="break-words text-soft">
            First prompt as it is now: {excerpt(rows[0].prompt, SHOWN_CHARACTERS)}
          </p>
        )}
        <div className="flex flex-wrap gap-2">
          <Button look="plain" name="intent" value="write-list">
            Use this wording
          </Button>
          <Button look="plain" name="intent" value="save-wording">
            Use and save it
          </Button>
        </div>
        <FormToken />
      </Form>
      {saved.length > 0 && <SavedWordings saved={saved} />}
    </details>
  )
}

/** The wordings that were saved, each to be used for this list or removed. */
function SavedWordings({ saved }: Pick<WordingProps, 'saved'>) {
  return (
    <section className="mt-3 space-y-1" aria-labelledby="saved-wordings">
      <h3 id="saved-wordings" className="font-medium">
        Saved wordings
      </h3>
      <ul className="divide-y divide-line">
        {saved.map(({ id, text }) => (
          <li key={id} className="flex flex-wrap items-center gap-2 py-2">
            <p dir="auto" className="min-w-0 grow basis-48 break-words">
              {excerpt(text, SHOWN_CHARACTERS)}
            </p>
            <div className="flex gap-2">
              <ActionForm intent="write-list" preventScrollReset>
                <HiddenFields fields={{ wording: text }} />
                <Button look="plain" aria-label={`Use: ${excerpt(text, 40)}`}>
                  Use
                </Button>
              </ActionForm>
              <ActionForm intent="remove-wording" preventScrollReset>
                <HiddenFields fields={{ id }} />
                <Button look="quiet" aria-label={`Remove: ${excerpt(text, 40)}`}>
                  Remove
                </Button>
              </ActionForm>
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Number of characters of a saved wording that are shown. */
const SHOWN_CHARACTERS = 160

/** The hint names so many columns; an error names more. */
const MOST_PLACES = 8
