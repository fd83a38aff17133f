import { webBoot } from '~/boot/web.server'

/** How visitors reach the operator. */
export type Contacts = { chatNumber: string; email: string; socialUrl: string }

/** One way to pay: its name, the account's owner and the account. */
export type PaymentMethod = {
  kind: 'exchange' | 'wallet' | 'bank'
  name: string
  accountName: string
  /** E-mail address, phone number or IBAN. */
  account: string
}

/** Returns the operator's contacts from the settings. */
export function readContacts(): Contacts {
  const { env } = webBoot()
  return {
    chatNumber: env.CONTACT_CHAT_NUMBER,
    email: env.CONTACT_EMAIL,
    socialUrl: env.CONTACT_SOCIAL_URL,
  }
}

/** Returns the ways to pay whose account is set. */
export function readPaymentMethods(): PaymentMethod[] {
  const { env } = webBoot()
  const methods = [
    {
      kind: 'exchange',
      name: env.PAYMENT_EXCHANGE_NAME,
      accountName: env.PAYMENT_EXCHANGE_ACCOUNT_NAME,
      account: env.PAYMENT_EXCHANGE_ACCOUNT,
    },
    {
      kind: 'wallet',
      name: env.PAYMENT_WALLET_NAME,
      accountName: env.PAYMENT_WALLET_ACCOUNT_NAME,
      account: env.PAYMENT_WALLET_ACCOUNT,
    },
    {
      kind: 'bank',
      name: env.PAYMENT_BANK_NAME,
      accountName: env.PAYMENT_BANK_ACCOUNT_NAME,
      account: env.PAYMENT_BANK_ACCOUNT,
    },
  ] as const
  return methods.flatMap(({ account, ...method }) =>
    account === null ? [] : [{ ...method, account }],
  )
}
