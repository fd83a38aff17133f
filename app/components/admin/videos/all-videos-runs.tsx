import type { RegenerationView } from '~/domain/batches/cancel-regeneration.server'
import type { MassChangeView } from '~/domain/videos/admin/mass-change.server'
import { figure, plural } from '~/lib/figures'
import { ActionForm } from '../../ui/action-form'
import { Progress } from '../../ui/progress'
import { SubmitButton } from '../../ui/submit-button'

type Props = { change: MassChangeView | null; runs: readonly RegenerationView[] }

/**
 * Changes of many videos that run in the background, with their progress and a button to stop them.
 */
export function AllVideosRuns({ change, runs }: Props) {
  if (!change && runs.length === 0) return null
  return (
    <section aria-label="In the background" aria-live="polite" className="space-y-3">
      {change && <ChangeRun change={change} />}
      {runs.map((run) => (
        <Run
          key={run.id}
          text={regenerationText(run)}
          done={run.ended}
          total={run.total}
          stop={run.isStopping ? null : { intent: 'cancel-regeneration', id: run.id }}
        />
      ))}
    </section>
  )
}

const DOING = { delete: 'Deleting', restore: 'Restoring' } as const
const DONE = { delete: 'deleted', restore: 'restored' } as const

function ChangeRun({ change }: { change: MassChangeView }) {
  const { id, kind, done, total, finishedAt, stopped, actorName } = change
  const figures = `${figure(done)} of ${plural(total, 'video')}`
  const text = finishedAt
    ? `${figures} ${DONE[kind]}${stopped ? '; stopped' : ''} (${actorName}).`
    : `${DOING[kind]} ${figures}, ordered by ${actorName}.`
  const stop = finishedAt === null ? { intent: 'stop-change', id } : null
  return <Run text={text} done={done} total={total} stop={stop} />
}

function regenerationText({ ended, total, actorName, isGathering, isStopping }: RegenerationView) {
  if (isStopping) return `Stopping a regeneration of ${actorName}: what was not sent is taken back.`
  const more = isGathering ? '; still gathering videos' : ''
  return `Regenerating: ${figure(ended)} of ${plural(total, 'video')} done, ordered by ${actorName}${more}.`
}

type RunProps = {
  text: string
  done: number
  total: number
  stop: { intent: string; id: string } | null
}

function Run({ text, done, total, stop }: RunProps) {
  return (
    <div className="space-y-2 rounded-lg border border-line bg-surface p-4">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="text-sm">{text}</p>
        {stop && (
          <ActionForm intent={stop.intent} preventScrollReset>
            <input type="hidden" name="on" value={stop.id} />
            <SubmitButton intent={stop.intent} look="plain">
              Stop
            </SubmitButton>
          </ActionForm>
        )}
      </div>
      <Progress label={text} percent={total === 0 ? 0 : Math.floor((100 * done) / total)} />
    </div>
  )
}
