import { REWRITE_LABELS } from '~/domain/lists/rewrites'
import { FailedFields } from '../ui/action-form'
import { SubmitButton } from '../ui/submit-button'

/** The buttons that have a form's prompts rewritten, folded. */
export const RewriteFold = () => (
  <details>
    <summary className="fold-summary is-word">Translate or improve</summary>
    <p className="text-sm text-soft">
      Sends your prompts to the text service of this site. You see its answer first.
    </p>
    <div className="mt-2 flex flex-wrap gap-2">
      {Object.entries(REWRITE_LABELS).map(([act, label]) => (
        <div key={act}>
          <FailedFields of={act} failed={label} />
          <SubmitButton intent={act} name="intent" value={act} look="plain" pending="…">
            {label}
          </SubmitButton>
        </div>
      ))}
    </div>
  </details>
)
