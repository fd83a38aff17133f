import type { PaymentMethod } from '~/domain/business/types'
import { buttonClass } from '../ui/button'
import { Icon } from '../ui/icon'

const KINDS = {
  exchange: { icon: 'banknote', label: 'E-mail' },
  wallet: { icon: 'wallet', label: 'Phone number' },
  bank: { icon: 'landmark', label: 'IBAN' },
} as const

/** The accounts to which customers pay. */
export const PaymentAccounts = ({ methods }: { methods: readonly PaymentMethod[] }) => (
  <ul className="divide-y divide-line">
    {methods.map((method) => (
      <Method key={method.kind} method={method} />
    ))}
  </ul>
)

function Method({ method }: { method: PaymentMethod }) {
  const { name, accountName, account, kind } = method
  const { icon, label } = KINDS[kind]
  return (
    <li className="flex gap-3 py-3">
      <Icon name={icon} className="mt-0.5 size-5 shrink-0 text-accent" />
      <div className="min-w-0 grow">
        <h3 className="font-semibold">{name}</h3>
        <dl className="mt-1 text-sm">
          <Value label="Account name" text={accountName} />
          <Value label={label} text={account} />
        </dl>
      </div>
    </li>
  )
}

/** A value with its copy button, which a script reveals. */
function Value({ label, text }: { label: string; text: string }) {
  return (
    <div className="relative flex min-h-11 flex-col justify-center py-1 pr-20 tiny:pr-0">
      <dt className="text-xs text-soft">{label}</dt>
      <dd>
        <span className="select-all break-words font-medium">{text}</span>
        <button
          type="button"
          hidden
          data-copy={text}
          aria-label={`Copy ${label.toLowerCase()} ${text}`}
          className={buttonClass(
            'quiet',
            'absolute right-0 top-0 !px-2 text-xs tiny:static tiny:-ml-2',
          )}
        >
          <Icon name="copy" className="size-4" />
          <span>Copy</span>
        </button>
      </dd>
    </div>
  )
}
