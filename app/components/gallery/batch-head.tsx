import { Link, useLocation } from '@remix-run/react'
import { useMemo, type ReactNode } from 'react'
import { readyPercent, stripText } from '~/domain/batches/rules'
import type { BatchHead, CardView } from '~/domain/videos/types'
import { assertNever } from '~/lib/assert-never'
import { closedAddress } from '~/lib/dialog-address'
import { figure, plural } from '~/lib/figures'
import { paths } from '~/lib/paths'
import { shortDay } from '~/lib/time'
import { useBatchName } from '../batches/batch-name'
import { PutBackNote, retryAddress, stopAddress } from '../batches/batch-actions'
import { SteerButton, SteerForm } from '../batches/steer-form'
import { ActionForm, HiddenFields } from '../ui/action-form'
import { Button } from '../ui/button'
import { ClockTime } from '../ui/clock-time'
import { Progress } from '../ui/progress'
import { textLinkClass } from '../ui/text-link'
import { usePlatformZone } from '../ui/use-root-data'
import { galleryRows, type GalleryRow } from './batch-rows'
import { useGallery } from './gallery-context'

const ROW = 'col-span-full flex min-w-0 flex-wrap items-center gap-x-4 text-sm'

/**
 * Returns the batches that have strips. The panel of the create screen tells how the running one goes, so there
 * it has none among other videos.
 */
function useStrips(): BatchHead[] {
  const { batches, filters } = useGallery().page
  const isTold = useLocation().pathname === paths.app && filters.inOrder === undefined
  return useMemo(
    () => (batches ?? []).filter(({ isRunning }) => !isTold || !isRunning),
    [batches, isTold],
  )
}

/** Returns what stands in the grid of the gallery's page. */
export function useGalleryRows(): GalleryRow[] {
  const { page } = useGallery()
  const batches = useStrips()
  return useMemo(() => galleryRows({ ...page, batches }), [page, batches])
}

type RowsProps = { rows: readonly GalleryRow[]; cardOf: (card: CardView) => ReactNode }

/** The items of a gallery's grid: its cards, and between them the strips of batches. */
export const GalleryRows = ({ rows, cardOf }: RowsProps) =>
  rows.map((row) => {
    switch (row.kind) {
      case 'card':
        return (
          <li key={row.key} data-frame={row.card.aspectRatio} className="min-w-0">
            {cardOf(row.card)}
          </li>
        )
      case 'batch':
        return <BatchStrip key={row.key} batch={row.batch} />
      case 'singles':
        return <SinglesHead key={row.key} />
      default:
        return assertNever(row)
    }
  })

/**
 * Stands before the cards of a batch: its day once it has ended, its name, how it goes, also what has no card, and what can be
 * done. The numbers are the batch's, wherever pages cut it.
 */
function BatchStrip({ batch }: { batch: BatchHead }) {
  const timeZone = usePlatformZone()
  const { now } = useGallery()
  const { id, createdAt, finishEstimate, isPaused, isRunning } = batch
  const name = useBatchName(batch)
  return (
    <li className={ROW}>
      <p className="min-w-0 tabular-nums text-soft max-sm:flex-1 max-sm:basis-full">
        {!isRunning && `${shortDay(createdAt, timeZone)} · `}
        {/* As high for a finger as others, but its line is no higher. */}
        <Link
          to={paths.batchPage(id)}
          className="-my-3 inline-block py-3 font-medium text-ink underline underline-offset-4 [overflow-wrap:anywhere]"
        >
          <bdi>{name}</bdi>
        </Link>{' '}
        · {stripText(batch)}
        {isPaused && ' · paused'}
        {finishEstimate !== null && (
          <>
            {' '}
            · ready by about{' '}
            <ClockTime instant={finishEstimate} {...(now && { now: new Date(now) })} />
          </>
        )}
      </p>
      {isRunning && (
        <div className="w-24 max-sm:w-full">
          <Progress label={`Ready: ${name}`} percent={readyPercent(batch)} />
        </div>
      )}
      <StripActions batch={batch} />
    </li>
  )
}

function StripActions({ batch }: { batch: BatchHead }) {
  const { id, ready, failed, cancelled, isRunning, isPaused } = batch
  const name = useBatchName(batch)
  const { pathname, search } = useLocation()
  return (
    <>
      {isRunning && <SteerButton isPaused={isPaused} form={formOf('steer', id)} />}
      {isRunning && (
        <Link
          to={stopAddress(id, pathname + closedAddress(search))}
          aria-label={`Stop: ${name}`}
          className={textLinkClass}
        >
          Stop
        </Link>
      )}
      {ready > 0 && (
        <Link
          to={paths.batchArchive(id)}
          reloadDocument
          aria-label={`Download as ZIP: ${name}`}
          className={textLinkClass}
        >
          ZIP
        </Link>
      )}
      {failed > 0 && (
        <Link
          to={retryAddress(id)}
          aria-label={`Retry ${figure(failed)}: ${name}`}
          className={textLinkClass}
        >
          Retry {figure(failed)}
        </Link>
      )}
      {cancelled > 0 && (
        <>
          <Button look="plain" form={formOf('put-back', id)}>
            Put {plural(cancelled, 'prompt')} back
          </Button>
          <PutBackNote />
        </>
      )}
    </>
  )
}

/** Ends the cards of a batch. */
const SinglesHead = () => <li className={`${ROW} min-h-11 text-soft`}>Single videos</li>

const formOf = (act: 'put-back' | 'steer', batchId: string) => `${act}-${batchId}`

/** The forms of the strips' buttons. They stand outside the form of the gallery, of which they would be a part. */
export const StripForms = () => useStrips().map((batch) => <FormsOf key={batch.id} batch={batch} />)

function FormsOf({ batch }: { batch: BatchHead }) {
  const { id, cancelled, isPaused, isRunning } = batch
  return (
    <>
      {isRunning && <SteerForm id={formOf('steer', id)} batchId={id} isPaused={isPaused} />}
      {cancelled > 0 && (
        <ActionForm id={formOf('put-back', id)} intent="put-back" action={paths.batchPage(id)}>
          <HiddenFields fields={{ on: id }} />
        </ActionForm>
      )}
    </>
  )
}
