import type { NextEnds } from '~/domain/administration/desk.server'
import { shortDay } from '~/lib/time'
import { Button } from '../ui/button'
import { usePlatformZone } from '../ui/use-root-data'

type Props = { user: { id: string; username: string; nextEnds: NextEnds } }

/**
 * The two ends that a renewal can give, as buttons: 30 days after the old end, or after today. They
 * belong to the page's forms `renew-end` and `renew-today`.
 */
export function RenewButtons({ user: { id, username, nextEnds } }: Props) {
  const timeZone = usePlatformZone()
  if (nextEnds === null) return <span className="text-soft">No end</span>
  const choices = [
    { from: 'end', name: 'from the old end', end: shortDay(nextEnds.fromEnd, timeZone) },
    { from: 'today', name: 'from today', end: shortDay(nextEnds.fromToday, timeZone) },
  ].filter(({ end, from }, _, [first]) => from === 'end' || end !== first?.end)
  return (
    <span className="flex flex-wrap gap-1">
      {choices.map(({ from, name, end }) => (
        <Button
          key={from}
          form={`renew-${from}`}
          name="id"
          value={id}
          look="plain"
          className="h-auto flex-col !gap-0 px-2 py-1 text-xs tabular-nums"
          aria-label={`Renew ${username} ${name}, until ${end}`}
        >
          <span className="whitespace-nowrap text-sm">{end}</span>
          <span className="whitespace-nowrap text-soft tiny:whitespace-normal">{name}</span>
        </Button>
      ))}
    </span>
  )
}
