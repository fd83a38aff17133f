import { Form, Link, useLocation } from '@remix-run/react'
import type { FormEvent, MouseEvent } from 'react'
import type {
  DownloadChoices,
  DownloadOption,
} from '~/domain/videos/gallery/download-options.server'
import { plural, sizeOf } from '~/lib/figures'
import { paths } from '~/lib/paths'
import { dayInWords } from '~/lib/time'
import { HiddenFields } from '../ui/action-form'
import { Button, buttonClass } from '../ui/button'
import { FieldFrame, lineClass } from '../ui/field-frame'
import { Icon } from '../ui/icon'

type Props = {
  choices: DownloadChoices
  /** Saves the clips of a choice one by one. Without scripts there is only the ZIP. */
  onEach?: (option: DownloadOption) => void
  onZip?: (event: MouseEvent) => void
  /** Counts other days. Without scripts the form loads the page for them. */
  onRange?: (form: FormData) => void
}

const LABELS = {
  all: 'All videos',
  filtered: 'Those that match the filters',
  today: 'Made today',
  yesterday: 'Made yesterday',
  '7-days': 'Made in the last 7 days',
} as const

const labelOf = ({ kind, first, last }: DownloadOption): string =>
  kind !== 'range'
    ? LABELS[kind]
    : `${first ? `From ${dayInWords(first)}` : 'The oldest'} to ${last ? dayInWords(last) : 'today'}`

/**
 * What can be downloaded at once, each with its number of clips and their size, so that nobody starts
 * thousands of downloads unawares.
 */
export function DownloadSizes({
  choices: { options, fields, range },
  onEach,
  onZip,
  onRange,
}: Props) {
  // The archive says there why it cannot be made.
  const { pathname, search } = useLocation()
  const from = new URLSearchParams({ from: pathname + search })
  const count = (event: FormEvent<HTMLFormElement>) => {
    if (!onRange) return
    event.preventDefault()
    onRange(new FormData(event.currentTarget))
  }
  const first = options.find(({ count: clips }) => clips > 0)
  return (
    <div className="space-y-4">
      <ul className="divide-y divide-line rounded border border-line">
        {options.map((option) => (
          <li
            key={option.query}
            className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 p-3"
          >
            <p className="min-w-0 text-sm">
              <span className="block font-medium">{labelOf(option)}</span>
              <span className="block tabular-nums text-soft">
                {option.count === 0
                  ? 'No finished videos'
                  : `${plural(option.count, 'video')}, ${sizeOf(option.bytes)}`}
              </span>
            </p>
            {option.count > 0 && (
              <div className="flex flex-wrap gap-2">
                <Link
                  to={`${paths.api.archive}?${option.query}&${from}`}
                  reloadDocument
                  aria-label={`ZIP: ${labelOf(option)}`}
                  onClick={onZip}
                  className={buttonClass(option === first ? 'primary' : 'plain')}
                >
                  <Icon name="archive" className="size-4" />
                  ZIP
                </Link>
                {onEach && (
                  <Button
                    type="button"
                    look="plain"
                    aria-label={`One by one: ${labelOf(option)}`}
                    onClick={() => onEach(option)}
                  >
                    <Icon name="download" className="size-4" />
                    One by one
                  </Button>
                )}
              </div>
            )}
          </li>
        ))}
      </ul>
      <Form
        action={paths.downloads}
        onSubmit={count}
        className="grid grid-cols-2 items-end gap-2 sm:flex sm:flex-wrap"
      >
        <HiddenFields fields={fields} />
        <FieldFrame id="rangeFirst" label="From">
          <input
            id="rangeFirst"
            name="rangeFirst"
            type="date"
            defaultValue={range.first}
            className={lineClass}
          />
        </FieldFrame>
        <FieldFrame id="rangeLast" label="To">
          <input
            id="rangeLast"
            name="rangeLast"
            type="date"
            defaultValue={range.last}
            className={lineClass}
          />
        </FieldFrame>
        <Button look="plain" className="max-sm:col-span-2">
          Count these days
        </Button>
      </Form>
    </div>
  )
}
