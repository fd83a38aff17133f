import type { ListRow, ListView, Mark } from '~/domain/lists/types'
import { eachText } from '~/domain/videos/order-fields'
import { plural } from '~/lib/figures'
import { ActionForm } from '~/components/ui/action-form'
import { Badge } from '~/components/ui/badge'
import { Button } from '~/components/ui/button'
import { DataCell, DataRow, DataTable } from '~/components/ui/data-table'
import { Icon } from '~/components/ui/icon'
import { useHydrated } from '~/components/ui/use-hydrated'
import { useKeptFocus } from '~/components/ui/use-kept-focus'
import { OrderTextLines } from '~/components/videos/order-text-lines'
import { RATIO_LABELS } from '~/components/videos/ratio-labels'

const MARK_NAMES: Record<Mark, string> = {
  heading: 'Heading',
  duplicate: 'Repeated',
  link: 'Link',
  stamp: 'Chat stamp',
  sign: 'List number or mark',
  place: 'Unfilled {…}',
  gap: 'Empty cell',
  long: 'Too long',
}

const COLUMNS = ['Row', 'Prompt', { label: 'Leave out', className: 'sr-only' }]

/** The rows of a list that are used, each with a button that leaves it out. */
export function ListRows({ list: { rows, count } }: { list: ListView }) {
  const keptFocus = useKeptFocus(rows, { card: 'tbody tr', target: 'button' })
  return (
    <section aria-label="Rows" className="space-y-2" {...keptFocus}>
      <ActionForm intent="leave-row" preventScrollReset>
        <DataTable caption="Prompts" columns={COLUMNS}>
          {rows.map((row, i) => (
            <Row key={row.row} {...row} above={rows[i - 1]?.row} />
          ))}
        </DataTable>
      </ActionForm>
      {count > rows.length && (
        <p className="text-sm text-soft">and {plural(count - rows.length, 'more row')}</p>
      )}
    </section>
  )
}

/** The settings that only this row has. */
function Own({ own }: Pick<ListRow, 'own'>) {
  const texts = eachText((name) => own[name] ?? null)
  return (
    <>
      {own.aspectRatio && <p className="text-sm text-soft">{RATIO_LABELS[own.aspectRatio]}</p>}
      <OrderTextLines video={texts} className="break-words text-sm text-soft" />
    </>
  )
}

type RowProps = ListRow & { above: number | undefined }

const idOf = (row: number) => `row-${row + 1}`

function Row({ row, prompt, marks, own, picture, endPicture, above }: RowProps) {
  const isHydrated = useHydrated()
  // Without scripts the page is loaded again, and would begin at its top.
  const place = above === undefined ? '#start' : `#${idOf(above)}`
  return (
    <DataRow>
      <DataCell className="tabular-nums text-soft">
        <span id={idOf(row)} className="scroll-mt-24">
          {row + 1}
        </span>
      </DataCell>
      <DataCell place="name">
        {own.name && (
          <p dir="auto" className="break-words font-semibold">
            {own.name}
          </p>
        )}
        <p dir="auto" className="whitespace-pre-line break-words">
          {prompt}
        </p>
        <Own own={own} />
        {picture && (
          <p className="break-words text-sm text-soft">
            Begins with {picture}
            {endPicture && `, ends with ${endPicture}`}
          </p>
        )}
        {marks.map((mark) => (
          <Badge key={mark} tone="warn">
            {MARK_NAMES[mark]}
          </Badge>
        ))}
      </DataCell>
      <DataCell place="end">
        <Button
          look="quiet"
          name="row"
          value={row}
          aria-label={`Leave out row ${row + 1}`}
          formAction={isHydrated ? undefined : place}
        >
          <Icon name="trash-2" className="size-4" />
        </Button>
      </DataCell>
    </DataRow>
  )
}
