import type { DragEvent } from 'react'
import { plural } from '~/lib/figures'
import { CountedBox } from './counted-box'
import { JsonNote } from '~/components/create/json-note'

/** Number of problems shown. The rest is only counted. */
const SHOWN = 10

type Props = {
  initial: string
  /** How many prompts the text has; null: only the server can tell. */
  count: number | null
  problems: readonly string[]
  /** Numbers of the lines for the JsonNote. */
  warnings: readonly number[]
  onDrop: (event: DragEvent) => void
}

/** The box with one prompt per line, the number of prompts, and the problems by line. */
export function BulkBox({ initial, count, problems, warnings, onDrop }: Props) {
  const described = ['bulk-hint', problems.length > 0 && 'promptLines-error'].filter(Boolean)
  return (
    <CountedBox
      name="promptLines"
      label="Prompts"
      count={count !== null && plural(count, 'prompt')}
      isInvalid={problems.length > 0}
      rows={8}
      defaultValue={initial}
      onDrop={onDrop}
      spellCheck={false}
      aria-describedby={described.join(' ')}
      placeholder={
        'A paper boat on a rainy street\n{"scene": "a lantern on a lake", "mood": "calm"}'
      }
      className="font-mono sm:text-sm"
    >
      <p id="bulk-hint" className="text-sm text-soft">
        One prompt per line, plain text or a JSON object. Up to 100 at once.
      </p>
      <div aria-live="polite">
        {problems.length > 0 && (
          <ul id="promptLines-error" className="space-y-0.5 text-sm text-bad">
            {problems.slice(0, SHOWN).map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
            {problems.length > SHOWN && <li>and {problems.length - SHOWN} more lines</li>}
          </ul>
        )}
        <JsonNote lines={warnings} />
      </div>
    </CountedBox>
  )
}
