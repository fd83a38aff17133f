import type { PaymentMethod } from '~/domain/business/types'
import { chatLink } from '~/lib/chat-link'
import { paths } from '~/lib/paths'
import { buttonClass } from '~/components/ui/button'
import { usePublicData } from '~/components/public/use-public-data'
import { Icon } from '~/components/ui/icon'

/** Name of the dialog in the URL (`?dialog=`) and its id in the page. */
export const ACCOUNT_DETAILS = 'account-details'

const KINDS = {
  exchange: { icon: 'banknote', label: 'E-mail' },
  wallet: { icon: 'wallet', label: 'Phone number' },
  bank: { icon: 'landmark', label: 'IBAN' },
} as const

/**
 * The payment accounts. A public page has no React in the browser, so the dialog is always in the
 * page. Its URL opens it, and public/enhance.js opens it in place and makes it modal.
 */
export function AccountDetails({ methods, open }: { methods: PaymentMethod[]; open: boolean }) {
  const { contacts, product } = usePublicData()
  const proof = `Hello, I have paid for a ${product} plan. Here is the proof of payment.`
  const ask = `Hello, how can I pay for a ${product} plan?`
  const canPay = methods.length > 0
  return (
    <dialog
      id={ACCOUNT_DETAILS}
      open={open}
      aria-labelledby="account-details-title"
      className="fixed inset-0 z-40 m-auto max-h-[92vh] w-[calc(100%-1.5rem)] max-w-lg overflow-y-auto rounded-lg border border-line bg-surface p-5 text-ink tiny:p-3 shadow-overlay backdrop:bg-film/60 sm:p-6 [&:not(:modal)]:shadow-veil"
    >
      <h2 id="account-details-title" className="pr-10 text-lg font-semibold">
        Account Details
      </h2>
      <ul className="mt-4 divide-y divide-line">
        {methods.map((method) => (
          <Method key={method.kind} method={method} />
        ))}
      </ul>
      <p className="mt-4 rounded bg-sunken p-3 text-sm">
        {canPay ? '' : 'Ask us on the chat app how to pay. '}
        After payment, contact us on the chat app with proof of payment. Your account is opened or
        renewed as soon as we have seen it.
      </p>
      <a
        href={chatLink(contacts.chatNumber, canPay ? proof : ask)}
        rel="noreferrer"
        className={buttonClass('primary', 'mt-4 w-full')}
      >
        <Icon name="message-circle" className="size-4" />
        {canPay ? 'Send proof of payment' : 'Ask how to pay'}
      </a>
      <a
        href={paths.pricing}
        data-closes={ACCOUNT_DETAILS}
        aria-label="Close"
        className="icon-btn absolute right-2 top-2"
      >
        <Icon name="x" className="size-5" />
      </a>
    </dialog>
  )
}

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
