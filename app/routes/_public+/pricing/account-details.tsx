import type { PaymentMethod } from '~/domain/business/types'
import { chatLink } from '~/lib/chat-link'
import { paths } from '~/lib/paths'
import { buttonClass } from '~/components/ui/button'
import { usePublicData } from '~/components/public/use-public-data'
import { PaymentAccounts } from '~/components/public/payment-accounts'
import { Icon } from '~/components/ui/icon'

/** Name of the dialog in the URL (`?dialog=`) and its id in the page. */
export const ACCOUNT_DETAILS = 'account-details'

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
      <div className="mt-4">
        <PaymentAccounts methods={methods} />
      </div>
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
