import { textLinkClass } from '../ui/text-link'

/** A longer prompt would push what stands below it off the screen. */
const MOST_CHARACTERS = 600
const MOST_LINES = 9

type Props = { prompt: string; className?: string }

/**
 * A prompt as it was typed. A long one is folded after some lines, also without scripts. Like
 * `PhoneFold`, the details element has only its heading, and the text is its neighbour.
 */
export function FoldedPrompt({ prompt, className = '' }: Props) {
  const text = `whitespace-pre-wrap [overflow-wrap:anywhere] ${className}`
  const isLong = prompt.length > MOST_CHARACTERS || prompt.split('\n').length > MOST_LINES
  if (!isLong) {
    return (
      <p dir="auto" className={text}>
        {prompt}
      </p>
    )
  }
  return (
    <div className="group/prompt w-full max-w-prose">
      <p dir="auto" className={`line-clamp-6 group-has-[[open]]/prompt:line-clamp-none ${text}`}>
        {prompt}
      </p>
      <details className="group/fold">
        <summary className={`${textLinkClass} w-fit cursor-pointer text-sm`}>
          <span className="group-open/fold:hidden">Show the whole prompt</span>
          <span className="hidden group-open/fold:inline">Show less of the prompt</span>
        </summary>
      </details>
    </div>
  )
}
