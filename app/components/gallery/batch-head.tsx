import { Link } from '@remix-run/react'
import { useMemo, type ReactNode } from 'react'
import { statesText } from '~/domain/batches/rules'
import type { BatchHead as Head, CardView } from '~/domain/videos/types'
import { assertNever } from '~/lib/assert-never'
import { figure, plural } from '~/lib/figures'
import { paths } from '~/lib/paths'
import { shortDay } from '~/lib/time'
import { retryAddress } from '../batches/batch-actions'
import { ActionForm, HiddenFields } from '../ui/action-form'
import { Button } from '../ui/button'
import { textLinkClass } from '../ui/text-link'
import { usePlatformZone } from '../ui/use-root-data'
import { galleryRows, type GalleryRow } from './batch-rows'
import type { FrameShape } from './frame-shape'
import { useGallery } from './gallery-context'

const ROW = 'col-span-full flex min-w-0 flex-wrap items-center gap-x-4 text-sm'

/** Returns what stands in the grid of the gallery's page. */
function useGalleryRows(): GalleryRow[] {
  const { videos, batches } = useGallery().page
  return useMemo(() => galleryRows(videos, batches), [videos, batches])
}

type RowsProps = {
  cardOf: (card: CardView) => ReactNode
  /** The shape of the frames. */
  shape: FrameShape
}

/** The items of a gallery's grid: its cards, and between them the rows that tell of batches. */
export function GalleryRows({ cardOf, shape }: RowsProps) {
  const cardItem = (card: CardView) => (
    <li key={card.id} className="min-w-0">
      {cardOf(card)}
    </li>
  )
  return useGalleryRows().map((row) => {
    switch (row.kind) {
      case 'card':
        return cardItem(row.card)
      case 'batch':
        return <BatchHead key={row.key} batch={row.batch} />
      case 'singles':
        return <SinglesHead key={row.key} />
      case 'cancelled':
        return (
          <CancelledRow key={row.key} batchId={row.batchId} count={row.cards.length}>
            <ul className="cards" data-shape={shape}>
              {row.cards.map(cardItem)}
            </ul>
          </CancelledRow>
        )
      default:
        return assertNever(row)
    }
  })
}

/** Stands before the cards of a batch: its day, its name, how it went, and what can be done. */
function BatchHead({ batch }: { batch: Head }) {
  const timeZone = usePlatformZone()
  const { id, name, createdAt, ready, failed } = batch
  return (
    <li className={ROW}>
      <p className="min-w-0 tabular-nums text-soft max-sm:flex-1">
        {shortDay(createdAt, timeZone)} ·{' '}
        {/* As high for a finger as others, but its line is no higher. */}
        <Link
          to={paths.batchPage(id)}
          className="-my-3 inline-block py-3 font-medium text-ink underline underline-offset-4 [overflow-wrap:anywhere]"
        >
          <bdi>{name}</bdi>
        </Link>{' '}
        · {statesText(batch)}
      </p>
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
    </li>
  )
}

/** Ends the cards of a batch. */
const SinglesHead = () => <li className={`${ROW} min-h-11 text-soft`}>Single videos</li>

const formOf = (batchId: string) => `put-back-${batchId}`

type CancelledProps = { batchId: string; count: number; children: ReactNode }

/** The cancelled videos of a batch as one row, which opens to their cards. */
function CancelledRow({ batchId, count, children }: CancelledProps) {
  return (
    <li className="col-span-full flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-lg border border-dashed border-edge px-4 py-2 text-sm">
      <p className="tabular-nums">{plural(count, 'prompt')} cancelled before being sent</p>
      {/* Its form stands outside the form of the gallery, of which it would be a part. */}
      <Button look="plain" form={formOf(batchId)}>
        Put {plural(count, 'prompt')} back in the box
      </Button>
      <details className="basis-full">
        <summary className="min-h-11 w-fit cursor-pointer py-3 text-soft">Show them</summary>
        {children}
      </details>
    </li>
  )
}

/** The forms of the buttons of cancelled rows. */
export const PutBackForms = () =>
  useGalleryRows().map((row) =>
    row.kind === 'cancelled' ? (
      <ActionForm
        key={row.key}
        id={formOf(row.batchId)}
        intent="put-back"
        action={paths.batchPage(row.batchId)}
      >
        <HiddenFields fields={{ on: row.batchId }} />
      </ActionForm>
    ) : null,
  )
