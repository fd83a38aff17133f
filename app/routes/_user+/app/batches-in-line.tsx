import { Link, useSearchParams } from '@remix-run/react'
import type { BatchInLine } from '~/domain/batches/types'
import { plural } from '~/lib/figures'
import { paths } from '~/lib/paths'
import { useBatchName } from '~/components/batches/batch-name'
import { LineNote } from '~/components/batches/waiting-notes'
import { ActionForm, HiddenFields } from '~/components/ui/action-form'
import { Button } from '~/components/ui/button'
import { textLinkClass } from '~/components/ui/text-link'
import { CANCEL_FAILED } from '~/components/create/create-form'
import { readTab } from './tabs'

type Props = { batches: readonly BatchInLine[]; now: Date }

/** The batches behind the running one: the place and start of each, and how to cancel it. */
export function BatchesInLine({ batches, now }: Props) {
  return (
    <div className="space-y-2 text-sm">
      <h4 id="batches-in-line" className="font-semibold">
        Batches in line
      </h4>
      <ol aria-labelledby="batches-in-line" className="divide-y divide-line border-y border-line">
        {batches.map((batch) => (
          <Row key={batch.id} batch={batch} now={now} />
        ))}
      </ol>
    </div>
  )
}

function Row({ batch, now }: { batch: BatchInLine; now: Date }) {
  const [search] = useSearchParams()
  const name = useBatchName(batch)
  return (
    <li className="flex items-center gap-3 py-1">
      <p className="min-w-0 flex-1 tabular-nums">
        <Link
          to={paths.batchPage(batch.id)}
          className={`${textLinkClass} [overflow-wrap:anywhere]`}
        >
          <bdi>{name}</bdi>
        </Link>
        , {plural(batch.prompts, 'prompt')}
        {batch.firstPrompt === null ? (
          <br />
        ) : (
          <bdi className="block truncate">{batch.firstPrompt}</bdi>
        )}
        <LineNote inLine={batch} now={now} />
      </p>
      <ActionForm intent="stop-batch" failed={CANCEL_FAILED} preventScrollReset>
        <HiddenFields fields={{ batchId: batch.id, tab: readTab(search), isInLine: 'yes' }} />
        <Button look="quiet" aria-label={`Cancel ${name}, place ${batch.place}`}>
          Cancel
        </Button>
      </ActionForm>
    </li>
  )
}
