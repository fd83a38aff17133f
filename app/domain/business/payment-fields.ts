import type { PaymentAccount, PaymentKind } from '../context'

/** The name of the form's field for one part of a way to pay. */
export const paymentField = (kind: PaymentKind, part: keyof PaymentAccount) =>
  `${kind}-${part}` as const
