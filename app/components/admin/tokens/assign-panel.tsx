import { Link, useFetcher } from '@remix-run/react'
import type { AssignResult } from '~/domain/administration/types'
import { dialogAddress } from '~/lib/dialog-address'
import { paths } from '~/lib/paths'
import type { ProviderChoice } from '~/domain/tokens/types'
import { plural } from '~/lib/figures'
import { buttonClass } from '../../ui/button'
import { lineClass } from '../../ui/field-frame'
import { ResultPanel } from '../result-panel'
import { NoteList } from '../note-list'

type Props = { result?: AssignResult | undefined; providers: readonly ProviderChoice[] }

/** Auto-Assign Tokens to All Users: paste tokens, preview the assignment, carry it out. */
export function AssignPanel({ result, providers }: Props) {
  const fetcher = useFetcher<AssignResult>()
  const latest = fetcher.data ?? result
  return (
    <ResultPanel
      title="Auto-Assign Tokens to All Users"
      fetcher={fetcher}
      intent="assign-tokens"
      failed="Token Assignment Failed"
      action={paths.admin.assignTokens}
      field={{
        label: 'Tokens to assign, one per line',
        hint: 'Each user (not administrators) gets the next token in turn. Tokens they had are replaced.',
        rows: 4,
        text: result?.text ?? '',
      }}
      buttons={
        <>
          {providers.length > 1 && (
            <select name="provider" aria-label="Provider" className={`${lineClass} max-w-40`}>
              {providers.map(({ name, kind }) => (
                <option key={name} value={name}>
                  {kind}
                </option>
              ))}
            </select>
          )}
          <button name="mode" value="preview" className={buttonClass('plain')}>
            Preview
          </button>
          <button name="mode" value="assign" className={buttonClass('primary')}>
            {fetcher.formData?.get('mode') === 'assign' ? 'Assigning...' : 'Assign Tokens'}
          </button>
        </>
      }
      toast={latest?.toast}
    >
      {latest?.preview && <Preview preview={latest.preview} />}
      <p className="mt-4 text-sm text-soft">
        Download All Data masks the tokens users hold.{' '}
        <Link
          to={paths.admin.users + dialogAddress('', 'export-tokens')}
          preventScrollReset
          className="text-ink underline underline-offset-4"
        >
          Download with tokens
        </Link>{' '}
        asks for your password.
      </p>
    </ResultPanel>
  )
}

type PreviewProps = { preview: NonNullable<AssignResult['preview']> }

function Preview({ preview }: PreviewProps) {
  const { tokens, users, tokensUsed, repeated, lines, repeatedLines } = preview
  const more = users - lines.length
  return (
    <section aria-label="Assignment plan" className="mt-4 space-y-2 text-sm">
      <p className="tabular-nums">
        {plural(tokens, 'token')} for {plural(users, 'user')}: {tokensUsed} used, {repeated}{' '}
        repeated
      </p>
      {repeatedLines.length > 0 && (
        <>
          <p className="text-warn">Each token counts once:</p>
          <NoteList notes={repeatedLines} />
        </>
      )}
      <ul className="max-h-64 divide-y divide-line overflow-y-auto rounded border border-line px-3">
        {lines.map(({ username, token }) => (
          <li key={username} className="flex justify-between gap-4 py-2">
            <span className="max-w-[60%] shrink-0 break-all font-medium">{username}</span>
            <code className="truncate text-soft">{token}</code>
          </li>
        ))}
      </ul>
      {more > 0 && <p className="text-soft">… and {plural(more, 'user')} more, in turn</p>}
    </section>
  )
}
