import { Link } from '@remix-run/react'
import { SPANS, type CreatedFilter, type Span } from '~/domain/videos/types'
import { dayAndMonth, dayAndTime } from '~/lib/time'
import { HiddenFields } from '../ui/action-form'
import { FilterField, FilterForm } from '../ui/filter-form'
import { Icon } from '../ui/icon'
import { usePlatformZone } from '../ui/use-root-data'
import { galleryAddress } from './address'
import { useGallery } from './gallery-context'

const SPAN_LABELS = {
  today: 'Today',
  yesterday: 'Yesterday',
  '7-days': 'Last 7 days',
  week: 'This week',
  month: 'This month',
} as const satisfies Record<Span, string>

/** Names the days of a filter: 'This week', '1 Nov – 15 Nov'. Returns null without such a filter. */
export function daysLabel(
  { days, first, last, since }: CreatedFilter,
  timeZone: string,
): string | null {
  const from = first === undefined ? '' : dayAndMonth(first)
  const to = last === undefined ? '' : dayAndMonth(last)
  const range =
    from === to
      ? from
      : from === ''
        ? `until ${to}`
        : to === ''
          ? `since ${from}`
          : `${from} – ${to}`
  const moment = since === undefined ? '' : `since ${dayAndTime(since, timeZone)}`
  const names = [days && SPAN_LABELS[days], range, moment].filter(Boolean)
  return names.length === 0 ? null : names.join(', ')
}

const ANY_DAY = { days: null, first: null, last: null, since: null }

const CHIP =
  'inline-flex min-h-11 items-center gap-1 rounded border px-2 text-sm sm:gap-1.5 sm:px-3 md:min-h-9'
const CHOSEN = 'border-accent bg-sunken font-medium text-ink'
const FREE = 'border-line bg-surface text-soft hover:border-edge hover:text-ink'

/**
 * Filters a gallery by the day on which a video was created: today, this week, this month, or from
 * one day to another, in the platform's time zone. Folded into one button.
 */
export function DateFilter() {
  const { page, search } = useGallery()
  const { days, first, last } = page.filters
  const label = daysLabel(page.filters, usePlatformZone())
  const choices = [
    { span: null, label: 'Any day' },
    ...SPANS.map((span) => ({ span, label: SPAN_LABELS[span] })),
  ]
  const kept = new URLSearchParams(galleryAddress(search, ANY_DAY))
  return (
    <div className="min-w-0">
      <p aria-hidden className="mb-1 text-xs font-medium text-soft">
        Date
      </p>
      <details className="group/dates 2xl:relative">
        <summary
          className={`${CHIP} cursor-pointer [&::-webkit-details-marker]:hidden ${label === null ? FREE : CHOSEN}`}
        >
          <span className="sr-only">Date: </span>
          {label ?? 'Any day'}
          <Icon
            name="chevron-down"
            className="size-4 transition-transform group-open/dates:rotate-180 motion-reduce:transition-none"
          />
        </summary>
        <div className="filter-sheet">
          <nav aria-label="Date">
            <ul className="flex flex-wrap gap-1">
              {choices.map(({ span, label: name }) => {
                const isCurrent = span === null ? label === null : span === days
                return (
                  <li key={name}>
                    <Link
                      to={galleryAddress(search, { ...ANY_DAY, days: span })}
                      preventScrollReset
                      aria-current={isCurrent ? 'true' : undefined}
                      className={`${CHIP} ${isCurrent ? CHOSEN : FREE}`}
                    >
                      {name}
                    </Link>
                  </li>
                )
              })}
            </ul>
          </nav>
          <FilterForm label="Dates" values={{ first: first ?? '', last: last ?? '' }} isDense>
            <HiddenFields fields={Object.fromEntries(kept)} />
            <div className="grid w-full grid-cols-2 gap-2">
              <FilterField name="first" label="From" type="date" defaultValue={first ?? ''} />
              <FilterField name="last" label="To" type="date" defaultValue={last ?? ''} />
            </div>
          </FilterForm>
        </div>
      </details>
    </div>
  )
}

/** Shows only starred videos, or again all. */
export function StarFilter() {
  const { page, search } = useGallery()
  const isOn = page.filters.starred !== undefined
  return (
    <Link
      to={galleryAddress(search, { starred: isOn ? null : 'yes' })}
      preventScrollReset
      aria-current={isOn ? 'true' : undefined}
      className={`${CHIP} ${isOn ? CHOSEN : FREE} self-end`}
    >
      <Icon name="star" className="size-4" />
      Starred
    </Link>
  )
}

/**
 * Says that a gallery shows one batch, and leads back to all videos. Renders nothing otherwise: the page
 * of a collection says which one it is.
 */
export function BatchChip() {
  const { page, search } = useGallery()
  if (page.filters.inOrder === undefined) return null
  return (
    <Link
      to={galleryAddress(search, { inOrder: null })}
      preventScrollReset
      className={`${CHIP} ${CHOSEN} self-end`}
    >
      One batch
      <Icon name="x" className="size-4" />
      <span className="sr-only">: show all videos</span>
    </Link>
  )
}
