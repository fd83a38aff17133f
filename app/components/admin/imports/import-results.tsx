import { Link } from '@remix-run/react'
import { useState } from 'react'
import type { ImportReport, ImportedLine } from '~/domain/administration/types'
import { figure, plural } from '~/lib/figures'
import { paths } from '~/lib/paths'
import { Badge } from '../../ui/badge'
import { buttonClass } from '../../ui/button'
import { CopyButton } from '../../ui/copy-button'
import { showToast } from '../../ui/toasts'
import { ChatButton, ChatForm } from '../customers/chat-form'
import { NoteList } from '../note-list'

const copied = () => showToast({ kind: 'success', title: 'Copied' })

/** One result per line, and the password links of users who still have to set a password. */
export function ImportResults({ report }: { report: ImportReport }) {
  const { results, isCheck, changeId } = report
  if (results.length === 0) return null
  const links = results.flatMap(({ username, passwordLink }) =>
    passwordLink === undefined ? [] : [`${username} ${passwordLink}`],
  )
  return (
    <section aria-label="Results" className="mt-4 space-y-2">
      <h3 className="text-sm font-semibold">
        {isCheck ? 'Check only, nothing saved. Result:' : 'Results'}
      </h3>
      <p role="status" className="text-base font-medium">
        {summaryOf(report)}
      </p>
      {changeId !== undefined && (
        <Link to={paths.admin.change(changeId)} className={buttonClass('plain')}>
          Review or undo this import
        </Link>
      )}
      {links.length > 0 && <ChatForm occasion="account" />}
      {links.length > 0 && (
        <div className="flex flex-wrap items-center gap-3">
          <p className="text-sm text-warn">
            Send these links to the users imported without a password. Each link works once, within
            7 days. Who has been written to is kept with the import.
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
        {[...results].sort(byFailure).map((result) => (
          <Line key={result.line} result={result} isCheck={isCheck} />
        ))}
      </ul>
    </section>
  )
}

const byFailure = (one: ImportedLine, other: ImportedLine) =>
  Number(one.success) - Number(other.success)

/** "62 create · 3 update · 35 fail", or what was done. */
function summaryOf({ results, isCheck }: ImportReport): string {
  const done = (word: string) => (isCheck ? word : `${word.replace(/e$/, '')}ed`)
  const count = (isOne: (line: ImportedLine) => boolean) => results.filter(isOne).length
  const parts: [number, string][] = [
    [count(({ change }) => change === 'create'), done('create')],
    [count(({ change }) => change === 'update'), done('update')],
    [count(({ change }) => change === 'same'), 'the same'],
    [count(({ success }) => !success), done('fail')],
  ]
  const noted = count(({ notes }) => notes !== undefined)
  return [
    ...parts.flatMap(([number, word]) => (number > 0 ? [`${figure(number)} ${word}`] : [])),
    ...(noted > 0 ? [`${plural(noted, 'line')} with values not used as typed`] : []),
  ].join(' · ')
}

type LineProps = { result: ImportedLine; isCheck: boolean }

function Line({ result, isCheck }: LineProps) {
  const { line, username, error, notes, seen, change, changes } = result
  // Some messages name their line themselves.
  const isNamed = error?.startsWith(`Line ${line}:`) ?? true
  return (
    <li className="flex flex-wrap items-center gap-3 py-2">
      <Verdict result={result} isCheck={isCheck} />
      {!isNamed && <span className="text-soft">Line {line}</span>}
      {username && <span className="break-all font-medium">{username}</span>}
      {!isCheck && change === 'same' && <span className="text-soft">No change</span>}
      {changes && <ChangeList changes={changes} />}
      {error && <span className="text-soft">{error}</span>}
      {notes && <NoteList notes={notes} />}
      {seen && <NoteList notes={seen} />}
      <LinkOf result={result} />
    </li>
  )
}

const WOULD = { create: 'Create', update: 'Update', same: 'Same' } as const

/** What the line would do, or whether it succeeded. */
function Verdict({ result: { success, change }, isCheck }: LineProps) {
  if (!success) return <Badge tone="bad">Failed</Badge>
  const text = isCheck && change ? WOULD[change] : 'Success'
  return <Badge tone={change === 'same' ? 'neutral' : 'good'}>{text}</Badge>
}

/** The terms of a new account, or old and new values. A role is named first and stands out. */
function ChangeList({ changes }: { changes: readonly string[] }) {
  return (
    <ul className="basis-full space-y-0.5 break-words pl-5">
      {changes.map((change) => (
        <li key={change} className={change.startsWith('Role:') ? 'font-medium text-warn' : ''}>
          {change}
        </li>
      ))}
    </ul>
  )
}

/** The link of one user, and the buttons that send it. Those pressed are marked until the page is left. */
function LinkOf({ result: { username, passwordLink: address, chat } }: { result: ImportedLine }) {
  const [isTold, setIsTold] = useState(false)
  if (address === undefined) return null
  const { id = '', languages = [] } = chat ?? {}
  return (
    <span className="flex min-w-0 basis-full flex-wrap items-center gap-2">
      {languages.map((language) => (
        <ChatButton
          key={language}
          id={id}
          username={username}
          isAgain={isTold}
          link={address}
          {...(languages.length > 1 && { language })}
          onPress={() => setIsTold(true)}
        />
      ))}
      <CopyButton text={address} label={`Copy the link of ${username}`} onCopied={copied} />
      <code className="min-w-0 grow basis-60 break-all text-xs text-soft">{address}</code>
    </span>
  )
}
