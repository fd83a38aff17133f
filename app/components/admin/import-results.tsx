import type { ImportAnswer } from '~/domain/administration/types'
import { Badge } from '../ui/badge'
import { CopyButton } from '../ui/copy-button'
import { showToast } from '../ui/toasts'
import { NoteList } from './note-list'

const copied = () => showToast({ kind: 'success', title: 'Copied' })

/** One result per line, and the password links of users who still have to set a password. */
export function ImportResults({ answer: { results, isCheck } }: { answer: ImportAnswer }) {
  if (results.length === 0) return null
  const links = results.flatMap(({ username, passwordLink }) =>
    passwordLink === undefined ? [] : [`${username} ${passwordLink}`],
  )
  return (
    <section aria-label="Results" className="mt-4 space-y-2">
      <h3 className="text-sm font-semibold">
        {isCheck ? 'Check only, nothing saved. Result:' : 'Results'}
      </h3>
      {links.length > 0 && (
        <div className="flex flex-wrap items-center gap-3">
          <p className="text-sm text-warn">
            Send these links to the users imported without a password. Each link works once, within
            7 days.
          </p>
          <CopyButton
            text={links.join('\n')}
            label="Copy all links"
            isLabelShown
            look="plain"
            onCopied={copied}
          />
        </div>
      )}
      <ul className="divide-y divide-line text-sm">
        {results.map(({ username, success, error, notes, passwordLink }, i) => (
          <li key={`${i}-${username}`} className="flex flex-wrap items-center gap-3 py-2">
            <Badge tone={success ? 'good' : 'bad'}>{success ? 'Success' : 'Failed'}</Badge>
            {username && <span className="break-all font-medium">{username}</span>}
            {error && <span className="text-soft">{error}</span>}
            {notes && <NoteList notes={notes} />}
            {passwordLink && <LinkOf username={username} address={passwordLink} />}
          </li>
        ))}
      </ul>
    </section>
  )
}

function LinkOf({ username, address }: { username: string; address: string }) {
  return (
    <span className="flex min-w-0 basis-full items-center gap-2">
      <code className="min-w-0 break-all text-xs text-soft">{address}</code>
      <CopyButton text={address} label={`Copy the link of ${username}`} onCopied={copied} />
    </span>
  )
}
