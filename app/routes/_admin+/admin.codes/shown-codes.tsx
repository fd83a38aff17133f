import type { MadeCodes } from '~/domain/administration/codes/make-codes.server'
import { moneyText } from '~/domain/payments/money'
import { plural } from '~/lib/figures'
import { shortDay } from '~/lib/time'
import { buttonClass } from '~/components/ui/button'
import { Card } from '~/components/ui/card'
import { CopyButton } from '~/components/ui/copy-button'
import { useHydrated } from '~/components/ui/use-hydrated'
import { useLatest } from '~/components/ui/use-latest'
import { usePlatformZone } from '~/components/ui/use-root-data'

type Props = { made: MadeCodes | null; address: string }

/**
 * Codes that were made just now: as texts for the chat, as a sheet to print, and as a file. They are in
 * this response only, and with scripts stay until the page is left.
 */
export function ShownCodes(props: Props) {
  const timeZone = usePlatformZone()
  const latest = useLatest(props.made)
  const address = useLatest(props.made ? props.address : null) ?? ''
  const isHydrated = useHydrated()
  if (!latest) return null
  const { codes, plan, days, soldTo, endsAt, csv, ...money } = latest
  const end = shortDay(endsAt, timeZone)
  const what = `${plan}, ${plural(days, 'day')}`
  const textOf = (code: string) =>
    `${what}. Your code: ${code}. Redeem it before ${end}: ${address}`
  return (
    <Card title={`${plural(codes.length, 'code')} of ${what}`}>
      <p className="mb-4 rounded border border-warn px-3 py-2 text-sm text-warn print:hidden">
        {moneyText(money)} each{soldTo !== null && `, sold to ${soldTo}`}. They are shown only now:
        save them before you leave this page.
      </p>
      <div className="mb-4 flex flex-wrap gap-2 print:hidden">
        <CopyButton
          text={codes.map(textOf).join('\n\n')}
          label="Copy all"
          isLabelShown
          look="plain"
        />
        <a
          href={`data:text/csv;charset=utf-8,${encodeURIComponent(csv)}`}
          download="codes.csv"
          className={buttonClass('plain')}
        >
          Download as CSV
        </a>
        {isHydrated && (
          <button type="button" onClick={() => print()} className={buttonClass('plain')}>
            Print
          </button>
        )}
      </div>
      <ol className="grid gap-2 sm:grid-cols-2 xl:grid-cols-3 print:grid-cols-2">
        {codes.map((code, i) => (
          <li
            key={code}
            className="flex items-center justify-between gap-2 rounded border border-line px-3 py-2 text-sm [break-inside:avoid]"
          >
            <span className="min-w-0">
              <span className="block whitespace-nowrap font-mono font-semibold tabular-nums">
                {code}
              </span>
              <span className="block break-words text-xs text-soft">
                No. {i + 1}. {what}, until {end}. {address}
              </span>
            </span>
            <span className="print:hidden">
              <CopyButton text={textOf(code)} label={`Copy the text of no. ${i + 1}`} />
            </span>
          </li>
        ))}
      </ol>
    </Card>
  )
}
