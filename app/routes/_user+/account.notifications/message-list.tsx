import { Link } from '@remix-run/react'
import { CHANNEL_WORDS } from '~/domain/notifications/reminders'
import type { MessageView, NotificationState } from '~/domain/notifications/types'
import { plural } from '~/lib/figures'
import { paths } from '~/lib/paths'
import { Badge } from '~/components/ui/badge'
import { Card } from '~/components/ui/card'
import { DayTime } from '~/components/ui/day-time'
import { textLinkClass } from '~/components/ui/text-link'

const STATES = {
  waiting: { label: 'Waits', tone: 'neutral' },
  sent: { label: 'Sent', tone: 'good' },
  failed: { label: 'Failed', tone: 'bad' },
  dropped: { label: 'Not sent', tone: 'warn' },
} as const satisfies Record<NotificationState, { label: string; tone: string }>

/** The last messages: when, about what, and how it went. */
export function MessageList({ messages }: { messages: readonly MessageView[] }) {
  return (
    <Card title="Recent notifications">
      {messages.length === 0 ? (
        <p className="text-sm text-soft">None yet. They are kept for 30 days.</p>
      ) : (
        <ul className="divide-y divide-line">
          {messages.map((message) => (
            <MessageRow key={message.id} message={message} />
          ))}
        </ul>
      )}
    </Card>
  )
}

function MessageRow({ message }: { message: MessageView }) {
  const { channel, batchId, hasClips, title, at, state, tries, nextTryAt } = message
  const { label, tone } = STATES[state]
  return (
    <li className="space-y-0.5 py-3">
      <p className="flex flex-wrap items-center gap-2">
        <Badge tone={tone}>{label}</Badge>
        {batchId === null ? (
          <span className="min-w-0 break-words">{title}</span>
        ) : (
          <Link
            to={paths.batchPage(batchId)}
            className="min-w-0 break-words underline underline-offset-4"
          >
            {title}
          </Link>
        )}
      </p>
      <p className="break-words text-sm tabular-nums text-soft">
        <DayTime instant={at} /> · {[CHANNEL_WORDS[channel], ...factsOf(message)].join(' · ')}
        {tries > 0 && nextTryAt !== null && (
          <>
            {' '}
            · next try <DayTime instant={nextTryAt} />
          </>
        )}
        {batchId !== null && hasClips && (
          <>
            {' '}
            ·{' '}
            <Link to={paths.batchArchive(batchId)} reloadDocument className={textLinkClass}>
              Download as ZIP
            </Link>
          </>
        )}
      </p>
    </li>
  )
}

function factsOf({ state, answer, problem, tries }: MessageView) {
  const facts: string[] = []
  if (state === 'sent' && answer !== null) facts.push(`answer ${answer}`)
  if (problem !== null) facts.push(problem)
  if (tries > 1 || (tries === 1 && state === 'waiting')) facts.push(plural(tries, 'try', 'tries'))
  return facts
}
