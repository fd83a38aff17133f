import type { NextEnds } from '~/domain/administration/customers/desk.server'
import { shortDay } from '~/lib/time'
import { DialogLink } from '../../ui/dialog-link'
import { usePlatformZone } from '../../ui/use-root-data'
import type { RenewDialogName } from './renew-dialog'

type Props = { user: { id: string; username: string; nextEnds: NextEnds } }

/** The two ends that a renewal can give: 30 days after the old end, or after today. */
export function RenewButtons({ user: { id, username, nextEnds } }: Props) {
  const timeZone = usePlatformZone()
  if (nextEnds === null) return <span className="text-soft">No end</span>
  const choices = [
    { dialog: 'renew-end', name: 'from the old end', end: shortDay(nextEnds.fromEnd, timeZone) },
    { dialog: 'renew-today', name: 'from today', end: shortDay(nextEnds.fromToday, timeZone) },
  ] as const satisfies { dialog: RenewDialogName; name: string; end: string }[]
  const [fromEnd, fromToday] = choices
  return (
    <span className="flex flex-wrap gap-1">
      {(fromEnd.end === fromToday.end ? [fromEnd] : choices).map(({ dialog, name, end }) => (
        <DialogLink
          key={dialog}
          dialog={dialog}
          on={id}
          className="h-auto flex-col !gap-0 px-2 py-1 text-xs tabular-nums"
          aria-label={`Renew ${username} ${name}, until ${end}`}
        >
          <span className="whitespace-nowrap text-sm">{end}</span>
          <span className="whitespace-nowrap text-soft tiny:whitespace-normal">{name}</span>
        </DialogLink>
      ))}
    </span>
  )
}
