import { Link } from '@remix-run/react'
import { SPANS, type CreatedFilter, type Span } from '~/domain/videos/types'
import { dayAndMonth, dayAndTime } from '~/lib/time'
import { HiddenFields } from '../ui/action-form'
import { FilterField, FilterForm } from '../ui/filter-form'
import { FilterGroup } from '../ui/filter-group'
import { usePlatformZone } from '../ui/use-root-data'
import { Icon } from '../ui/icon'
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

/** Returns whether a list shows only the videos of some days. */
export const isDated = ({ days, first, last, since }: CreatedFilter): boolean =>
  [days, first, last, since].some((one) => one !== undefined)

/**
 * Filters a gallery by the day on which a video was created, in the platform's time zone: today, this
 * week, this month and so on; with `hasDays` also from one day to another.
 */
export function DateFilter({ hasDays }: { hasDays: boolean }) {
  const { page, search } = useGallery()
  const { first, last } = page.filters
  const kept = new URLSearchParams(galleryAddress(search, ANY_DAY))
  const label = daysLabel(page.filters, usePlatformZone())
  const choices = [null, ...SPANS].map((span) => ({
    label: span === null ? 'Any day' : SPAN_LABELS[span],
    count: null,
    isCurrent: label === (span === null ? null : SPAN_LABELS[span]),
    to: galleryAddress(search, { ...ANY_DAY, days: span }),
  }))
  const others = choices.some(({ isCurrent }) => isCurrent)
    ? []
    : [{ label: label ?? '', count: null, isCurrent: true, to: galleryAddress(search, {}) }]
  return (
    <div className="space-y-2">
      <FilterGroup label="Date" choices={[...choices, ...others]} />
      {hasDays && (
        <FilterForm label="Dates" values={{ first: first ?? '', last: last ?? '' }} isDense>
          <HiddenFields fields={Object.fromEntries(kept)} />
          <div className="grid w-full grid-cols-2 gap-2">
            <FilterField name="first" label="From" type="date" defaultValue={first ?? ''} />
            <FilterField name="last" label="To" type="date" defaultValue={last ?? ''} />
          </div>
        </FilterForm>
      )}
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
