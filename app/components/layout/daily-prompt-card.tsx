import { Link, useLocation, useRevalidator } from '@remix-run/react'
import type { ReactNode } from 'react'
import type { DailyPrompt } from '~/domain/prompts/types'
import { paths } from '~/lib/paths'
import { ActionForm } from '../ui/action-form'
import { buttonClass } from '../ui/button'
import { Icon } from '../ui/icon'
import { textLinkClass } from '../ui/text-link'
import { useHydrated } from '../ui/use-hydrated'
import { writeClipboard } from '../ui/write-clipboard'
import { countCopy, skipPrompt } from './daily-prompt-actions'

/** Two such buttons fit side by side into the card. */
const BUTTON = '!gap-1.5 whitespace-nowrap !px-1.5'

/**
 * The daily prompt, folded: the create screen offers it as an example. With scripts Copy copies it to the
 * clipboard and counts the copy. Without scripts a form counts it and opens the create screen with the
 * prompt filled in. Skip is one form in both cases.
 */
export function DailyPromptCard({ prompt }: { prompt: DailyPrompt }) {
  const isHydrated = useHydrated()
  const { revalidate } = useRevalidator()
  const copy = () => void countCopy(prompt, writeClipboard(prompt.text), revalidate)
  const skip = (form: HTMLFormElement) => void skipPrompt(form, revalidate)
  return (
    <section aria-label="Daily Prompt" className="text-sm">
      <details className="group/fold">
        <summary className="side-row">
          <Icon name="chevron-down" className="fold-arrow" />
          <h2>Daily Prompt</h2>
        </summary>
        <div className="rounded-lg bg-sunken p-3 pb-1">
          <p dir="auto" className="max-h-40 overflow-y-auto break-words">
            {prompt.text}
          </p>
          <div className="-mx-1 mt-1 flex flex-wrap items-center justify-between">
            {isHydrated ? (
              <button type="button" onClick={copy} className={buttonClass('quiet', BUTTON)}>
                <Icon name="copy" className="size-4" />
                Copy
              </button>
            ) : (
              <PromptForm intent="use" promptId={prompt.id}>
                <Icon name="pencil-line" className="size-4" />
                Use this prompt
              </PromptForm>
            )}
            <PromptForm intent="skip" promptId={prompt.id} onSubmit={skip}>
              <Icon name="skip-forward" className="size-4" />
              Skip
            </PromptForm>
            <Link to={paths.usedPrompts} className={`${textLinkClass} px-1.5 text-xs`}>
              Used before
            </Link>
          </div>
        </div>
      </details>
    </section>
  )
}

type FormProps = {
  intent: string
  promptId: string
  onSubmit?: (form: HTMLFormElement) => void
  children: ReactNode
}

function PromptForm({ intent, promptId, onSubmit, children }: FormProps) {
  const { pathname, search } = useLocation()
  return (
    <ActionForm
      intent={intent}
      action={paths.dailyPrompt}
      reloadDocument
      onSubmit={(event) => {
        if (!onSubmit) return
        event.preventDefault()
        onSubmit(event.currentTarget)
      }}
    >
      <input type="hidden" name="promptId" value={promptId} />
      <input type="hidden" name="returnTo" value={pathname + search} />
      <button className={buttonClass('quiet', BUTTON)}>{children}</button>
    </ActionForm>
  )
}
