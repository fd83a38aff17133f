import type { VideoRecord, VideoTry } from '~/domain/videos/admin/video-tries.server'
import { causeOf } from '~/domain/videos/holds'
import { Card } from '../ui/card'
import { DayTime } from '../ui/day-time'

const STATES = {
  queued: 'waits to be sent',
  submitting: 'is being sent',
  submitted: 'ordered',
  fetching: 'made, its clip is being fetched',
  unknown: 'without an answer, being looked up',
  done: 'delivered',
  failed: 'failed',
  orphaned: 'never found, perhaps paid',
  abandoned: 'no order was sent',
} as const satisfies Record<VideoRecord['tries'][number]['state'], string>

/** Why an attempt failed, by what the adapter made of the answer. */
const FAULTS: Readonly<Record<string, string>> = {
  unauthorized: 'the token was refused',
  'rate-limited': 'too many orders at once',
  'quota-exhausted': 'out of credits',
  'invalid-request': 'the provider could not read the order',
  'content-blocked': 'the prompt or the clip was refused',
  transient: 'a passing fault of the provider',
  permanent: 'a lasting fault of the provider',
}

/** For administrators: why a video waits, and what the provider said of each attempt. */
export function VideoRecordCard({ record: { hold, tries } }: { record: VideoRecord }) {
  if (hold === null && tries.length === 0) return null
  return (
    <Card title="For administrators">
      <div className="space-y-3 text-sm">
        {hold && (
          <p>
            On hold because {causeOf(hold.reason)}.
            {hold.nextTryAt !== null && (
              <>
                {' '}
                Next try <DayTime instant={hold.nextTryAt} />.
              </>
            )}
          </p>
        )}
        {tries.length > 0 && (
          <ol className="divide-y divide-line" aria-label="Attempts">
            {tries.map((one) => (
              <li key={one.id} className="space-y-1 py-2">
                <TryText attempt={one} />
              </li>
            ))}
          </ol>
        )}
      </div>
    </Card>
  )
}

/** One attempt in words, with what the provider said. */
export function TryText({ attempt }: { attempt: VideoTry }) {
  const { at, state, provider, fault, message, code } = attempt
  return (
    <>
      <p>
        <DayTime instant={at} />, {provider}: {STATES[state]}
        {fault !== null && `: ${FAULTS[fault] ?? fault}`}
      </p>
      {message !== null && (
        <p className="break-words text-soft">
          The provider said{code !== null && ` (${code})`}: {message}
        </p>
      )}
    </>
  )
}
