import { useFetcher } from '@remix-run/react'
import { IMPORT_EXAMPLE } from '~/domain/administration/import-rules'
import type { ImportAnswer } from '~/domain/administration/types'
import { paths } from '~/lib/paths'
import { ActionToast } from '../ui/action-toast'
import { FormIdentity } from '../ui/action-form'
import { Badge } from '../ui/badge'
import { buttonClass } from '../ui/button'
import { Card } from '../ui/card'
import { TextAreaField } from '../ui/field'
import { useHydrated } from '../ui/use-hydrated'

type Props = {
  /** The answer to a form that was sent without scripts. */
  answer?: ImportAnswer | undefined
  /** What Load Example put into the address. */
  initialText?: string
}

/** Premium Users Import: paste, check without writing, import, a verdict for each line. */
export function ImportPanel({ answer, initialText = '' }: Props) {
  const fetcher = useFetcher<ImportAnswer>()
  const isHydrated = useHydrated()
  const latest = fetcher.data ?? answer
  return (
    <Card title="Premium Users Import">
      <fetcher.Form method="post" action={paths.admin.importUsers} className="space-y-3">
        <FormIdentity intent="import-users" />
        {/* With scripts the text stays in the box, so that no answer needs to hold passwords. */}
        {isHydrated && <input type="hidden" name="scripted" value="yes" />}
        <TextAreaField
          id={ID}
          name="text"
          label="Users, one a line"
          hint="username|password, or all columns of Download All Data. At most 100."
          rows={6}
          spellCheck={false}
          defaultValue={answer?.text ?? initialText}
        />
        <div className="flex flex-wrap gap-2">
          {isHydrated ? (
            <>
              <button
                type="button"
                onClick={() => put(IMPORT_EXAMPLE)}
                className={buttonClass('plain')}
              >
                Load Example
              </button>
              <button type="button" onClick={() => put('')} className={buttonClass('plain')}>
                Clear
              </button>
            </>
          ) : (
            <>
              <a href={`${paths.admin.importUsers}?example`} className={buttonClass('plain')}>
                Load Example
              </a>
              <a href={paths.admin.importUsers} className={buttonClass('plain')}>
                Clear
              </a>
            </>
          )}
          <button name="mode" value="check" className={buttonClass('plain')}>
            Check
          </button>
          <button name="mode" value="import" className={buttonClass('primary')}>
            {fetcher.state === 'idle' ? 'Import' : 'Importing...'}
          </button>
        </div>
      </fetcher.Form>
      {latest && <Results answer={latest} />}
      <ActionToast toast={latest?.toast} />
    </Card>
  )
}

const ID = 'import-text'

function put(text: string): void {
  const box = document.getElementById(ID)
  if (box instanceof HTMLTextAreaElement) box.value = text
}

function Results({ answer: { results, isCheck } }: { answer: ImportAnswer }) {
  if (results.length === 0) return null
  return (
    <section aria-label="Results" className="mt-4 space-y-2">
      <h3 className="text-sm font-semibold">
        {isCheck ? 'Nothing was written. This is what would happen:' : 'Results'}
      </h3>
      <ul className="divide-y divide-line text-sm">
        {results.map(({ username, success, error }, i) => (
          <li key={`${i}-${username}`} className="flex flex-wrap items-center gap-3 py-2">
            <Badge tone={success ? 'good' : 'bad'}>{success ? 'Success' : 'Failed'}</Badge>
            <span className="break-all font-medium">{username}</span>
            {error && <span className="text-soft">{error}</span>}
          </li>
        ))}
      </ul>
    </section>
  )
}
