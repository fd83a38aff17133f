import { Link, useLocation } from '@remix-run/react'
import { failureAdvice } from '~/domain/videos/failure-advice'
import { countFailures, paceText, stageOf, stoppedText } from '~/domain/batches/rules'
import type { BatchProgress } from '~/domain/batches/types'
import { dialogAddress } from '~/lib/dialog-address'
import { paths } from '~/lib/paths'
import { figure, plural } from '~/lib/figures'
import { PutBack, retryAddress, STOP_DIALOG } from '~/components/batches/batch-actions'
import { CarriedNote } from '~/components/batches/waiting-notes'
import { SteerForm } from '~/components/batches/steer-form'
import { buttonClass } from '~/components/ui/button'
import { Icon } from '~/components/ui/icon'
import { Progress } from '~/components/ui/progress'
import { BATCH_TITLE_ID } from './batch-names'
import { BatchShares } from './batch-shares'
import { BatchSheet } from './batch-sheet'
import { BatchesInLine } from './batches-in-line'
import { ClockTime } from '~/components/ui/clock-time'
import { textLinkClass } from '~/components/ui/text-link'
import { useAppBadge } from '~/components/ui/use-app-badge'
import { useRootData } from '~/components/ui/use-root-data'

type Props = {
  progress: BatchProgress
  /** Whether the plan has expired, so that no round is started until it is renewed. */
  isExpired: boolean
  now: Date
}

/**
 * A running batch (how many videos are done, what happens next and when), or the result of an ended
 * one.
 */
export function BatchPanel(props: Props) {
  const { progress } = props
  const { batch } = progress
  const { totalVideos, completedVideos, failedVideos } = batch
  const ended = completedVideos + failedVideos
  const { cancelled } = countFailures(progress.failures)
  const failed = failedVideos - cancelled
  useAppBadge('batch', batch.status === 'processing' ? totalVideos - ended : 0)
  return (
    <section aria-labelledby={BATCH_TITLE_ID} className="space-y-3">
      <BatchTitle progress={progress} now={props.now} />
      {batch.status === 'processing' && (
        <Progress label="Batch" percent={Math.round((ended / Math.max(1, totalVideos)) * 100)} />
      )}
      <p className="tabular-nums" aria-live="polite">
        {batch.status === 'processing' && (
          <>
            <strong className="font-semibold">
              {ended} of {totalVideos}
            </strong>{' '}
            done:{' '}
          </>
        )}
        {completedVideos} ready
        {failed > 0 && `, ${failed} failed`}
        {cancelled > 0 && `, ${cancelled} cancelled`}
      </p>
      {progress.cells === '' ? (
        <BatchShares progress={progress} />
      ) : (
        <BatchSheet
          key={batch.id}
          batchId={batch.id}
          cells={progress.cells}
          sheet={progress.sheet}
          isEnded={batch.status !== 'processing'}
        />
      )}
      {batch.status === 'processing' ? (
        <Next {...props} />
      ) : (
        <>
          {progress.sent > 0 && <p className="text-sm">{stoppedText(progress.sent)}</p>}
          <Summary progress={progress} />
        </>
      )}
    </section>
  )
}

const TITLES = {
  queued: { icon: 'hourglass', tone: 'text-accent', text: 'In line' },
  processing: { icon: 'clapperboard', tone: 'text-accent', text: 'Processing Bulk Generation...' },
  completed: { icon: 'circle-check', tone: 'text-good', text: 'Bulk Generation Complete!' },
  /** Every prompt was cancelled by itself, so that nothing was made. */
  emptied: { icon: 'octagon-x', tone: 'text-soft', text: 'Batch cancelled' },
  cancelled: { icon: 'octagon-x', tone: 'text-warn', text: 'Bulk Generation Cancelled' },
} as const

/** The title of a running batch while nothing of it is made. */
const STILL = {
  paused: { icon: 'circle-pause', tone: 'text-warn', text: 'Paused' },
  later: { icon: 'hourglass', tone: 'text-accent', text: 'Waiting for ' },
  unpaid: { icon: 'hourglass', tone: 'text-warn', text: 'Waiting for your renewal' },
} as const

function titleOf({ batch, failures }: BatchProgress, stage: ReturnType<typeof stageOf>) {
  if (stage !== 'making') return STILL[stage]
  const isEmptied = countFailures(failures).cancelled === batch.totalVideos
  return TITLES[batch.status === 'completed' && isEmptied ? 'emptied' : batch.status]
}

function BatchTitle({ progress, now }: Pick<Props, 'progress' | 'now'>) {
  const { batch, sent } = progress
  const { status, kind, carried } = batch
  const stage = status === 'processing' ? stageOf(batch, sent) : 'making'
  const { icon, tone, text } = titleOf(progress, stage)
  const until = stage === 'later' && carried?.until
  return (
    <h3 id={BATCH_TITLE_ID} className={`flex items-center gap-2 font-semibold ${tone}`}>
      <Icon name={icon} className="size-5 shrink-0" />
      <span>
        {text}
        {until && <ClockTime instant={until} now={now} />}
      </span>
      {kind === 'retry' && <span className="text-sm font-normal text-soft">(retries)</span>}
    </h3>
  )
}

function Next({ progress, isExpired, now }: Props) {
  const { batch, moving, sent, held, inLine } = progress
  const { search } = useLocation()
  const tells = useRootData()?.tells
  const { id, isPaused, finishEstimate, carried } = batch
  const next = moving - sent - held
  const unsent = batch.totalVideos - batch.completedVideos - batch.failedVideos - moving
  const waiting = unsent - (carried?.prompts ?? 0)
  return (
    <>
      <ul className="space-y-1 text-sm tabular-nums text-soft">
        {/* As high with shorter words, so that the button below does not move. */}
        <li className="min-h-10">
          {plural(sent, 'video')} in progress, {next > 0 && `${next} next in line, `}
          {held > 0 && `${Math.min(held, moving)} on hold, `}
          {Math.max(0, waiting)} waiting for a round
        </li>
        {(waiting > 0 || !carried) && <li>{nextStep(batch, { isExpired, now, waiting })}</li>}
        {carried && (
          <li>
            <CarriedNote carried={carried} isPaused={isPaused} now={now} />
          </li>
        )}
        {finishEstimate && (
          <li>
            Ready by about <ClockTime instant={finishEstimate} now={now} />
          </li>
        )}
        <li>Batch speed: {paceText(batch)}</li>
      </ul>
      <div className="flex flex-wrap gap-2">
        {(unsent > 0 || next > 0 || isPaused) && (
          <SteerForm batchId={id} isPaused={isPaused} className="flex-1" />
        )}
        <Link
          to={dialogAddress(search, STOP_DIALOG)}
          preventScrollReset
          className={buttonClass('warning', 'flex-1')}
        >
          Stop All Process
        </Link>
      </div>
      <div className="flex flex-wrap gap-x-4 text-sm lg:[&>a]:min-h-8">
        {unsent > 0 && (
          <Link to={paths.batchUnsent(id)} className={textLinkClass}>
            Change prompts that are not sent
          </Link>
        )}
        {tells && (
          <Link to={paths.notifications} className={textLinkClass}>
            Notify me when it is done
          </Link>
        )}
      </div>
      {inLine.length > 0 && <BatchesInLine batches={inLine} now={now} />}
    </>
  )
}

type Upcoming = { isExpired: boolean; now: Date; waiting: number }

function nextStep(batch: BatchProgress['batch'], { isExpired, now, waiting }: Upcoming): string {
  const { nextRoundAt, isPaused } = batch
  if (isPaused) return 'Paused until you resume it'
  if (isExpired) return 'Waiting until you renew your plan'
  const next = Math.min(batch.speedLimit, waiting)
  if (nextRoundAt === null || next <= 0) return 'All prompts sent'
  const seconds = Math.ceil((new Date(nextRoundAt).getTime() - now.getTime()) / 1000)
  return seconds > 0 ? `Next round in ${seconds} s` : `Sending the next ${next}…`
}

/** The failures by class, with advice for each, and the next steps. */
function Summary({ progress: { batch, failures, cells } }: { progress: BatchProgress }) {
  const { failed, cancelled } = countFailures(failures)
  const deleted =
    cells === ''
      ? batch.failedVideos - failed - cancelled
      : Array.from(cells).filter((cell) => cell === '-').length
  return (
    <div className="space-y-2 text-sm">
      {failures.length > 0 && (
        <ul className="space-y-1.5">
          {failures.map(({ errorCode, videos }) => {
            const { what, next } = failureAdvice(errorCode)
            return (
              <li key={errorCode}>
                <span className="font-medium">
                  {plural(videos, 'video')}: {what}.
                </span>{' '}
                <span className="text-soft">Nothing was charged. {next}</span>
              </li>
            )
          })}
        </ul>
      )}
      {deleted > 0 && <p className="text-soft">{plural(deleted, 'video')} deleted meanwhile.</p>}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        {cancelled > 0 && <PutBack batchId={batch.id} cancelled={cancelled} />}
        {failed > 0 && (
          <>
            <Link to={retryAddress(batch.id)} className={`${textLinkClass} font-medium`}>
              Retry {figure(failed)} failed
            </Link>
            <Link
              to={`${paths.app}?status=error#gallery`}
              className={`${textLinkClass} font-medium`}
            >
              Show the failed videos
            </Link>
          </>
        )}
        <Link to={paths.batchPage(batch.id)} className={`${textLinkClass} font-medium`}>
          Open this batch
        </Link>
      </div>
    </div>
  )
}
