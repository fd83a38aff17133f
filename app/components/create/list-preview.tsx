import { withoutListSigns, type PromptLine } from '~/domain/batches/rules'
import { plural } from '~/lib/figures'
import { excerpt, linesOf, trimText } from '~/lib/text'
import { CheckboxField } from '../ui/field-frame'

/** Number of characters of a prompt in a line of the preview. */
const SHOWN_CHARACTERS = 120

const isBlank = (line: string) => trimText(line) === ''

/** Returns the number of blank lines between other lines. */
function blankLines(text: string): number {
  const typed = text.trim()
  return typed === '' ? 0 : linesOf(typed).filter(isBlank).length
}

/** Returns whether a text contains more than plain prompts, one per line. */
export const isPastedList = (prompts: readonly PromptLine[], text: string): boolean =>
  blankLines(text) > 0 || prompts.some((line) => withoutListSigns(line.text) !== line.text)

type Props = {
  prompts: readonly PromptLine[]
  /** The text that the prompts come from, to count its blank lines. */
  text: string
  /** Whether the user had chosen to leave out list markers. */
  isCleaned: boolean
}

/**
 * Previews the prompts that a pasted list would give, with a checkbox to remove its numbers,
 * bullets and quotation marks (see `isPastedList`). The preview follows the checkbox without
 * scripts too. The typed text is not changed.
 */
export function ListPreview({ prompts, text, isCleaned }: Props) {
  const lines = prompts.map(({ line, text: typed }) => ({
    line,
    typed,
    clean: withoutListSigns(typed),
  }))
  const withSigns = lines.filter(({ typed, clean }) => typed !== clean).length
  const blank = blankLines(text)
  return (
    <section aria-label="Preview" className="list-preview space-y-2 text-sm">
      {withSigns > 0 && (
        <CheckboxField
          name="cleanList"
          label="Remove numbers, bullets, quotes"
          hint={`Found in ${plural(withSigns, 'line')}. Your text is not changed.`}
          defaultChecked={isCleaned}
        />
      )}
      <p className="font-medium">
        {plural(lines.length, 'prompt')} will be made
        {blank > 0 && (
          <span className="font-normal text-soft">; {plural(blank, 'blank line')} left out</span>
        )}
      </p>
      <div
        role="region"
        aria-label="Prompts that will be made"
        // The region scrolls, so it must be reachable by keyboard.
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        className="max-h-64 overflow-y-auto rounded border border-line bg-sunken p-3"
      >
        <ol className="list-decimal space-y-1 pl-8">
          {lines.map(({ line, typed, clean }) => (
            <li key={line}>
              {/* The direction is the text's. The numbers stay in their column. */}
              <p dir="auto" className="break-words">
                {typed === clean ? (
                  excerpt(typed, SHOWN_CHARACTERS)
                ) : (
                  <>
                    <span className="as-typed">{excerpt(typed, SHOWN_CHARACTERS)}</span>
                    <span className="as-cleaned">{excerpt(clean, SHOWN_CHARACTERS)}</span>
                  </>
                )}
              </p>
            </li>
          ))}
        </ol>
      </div>
    </section>
  )
}
