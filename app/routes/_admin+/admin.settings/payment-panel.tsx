import { paymentFields } from '~/domain/administration/shown'
import { paymentField } from '~/domain/business/payment-fields'
import { PAYMENT_KINDS, type PaymentAccounts, type PaymentKind } from '~/domain/context'
import { ActionForm, HiddenFields } from '~/components/ui/action-form'
import { Card } from '~/components/ui/card'
import { Field } from '~/components/ui/field'
import { SubmitButton } from '~/components/ui/submit-button'
import { useShownForm } from '~/components/ui/use-shown-form'
import { DefaultForm } from './default-form'

const KINDS = {
  exchange: { title: 'Exchange', account: 'E-mail address' },
  wallet: { title: 'Wallet', account: 'Phone number' },
  bank: { title: 'Bank', account: 'IBAN' },
} as const satisfies Record<PaymentKind, { title: string; account: string }>

type Props = { accounts: PaymentAccounts; isChanged: boolean }
type Fields = Record<ReturnType<typeof paymentField>, string>

/** The accounts on the pricing page. */
export function PaymentPanel({ accounts, isChanged }: Props) {
  const [form, fields, before] = useShownForm<Fields>('payment', {
    shown: paymentFields(accounts),
  })
  return (
    <Card title="Payment accounts">
      <p className="mb-4 text-sm text-soft">
        Buyers see them on the pricing page. A way to pay without an account number is hidden.
      </p>
      <ActionForm {...form} intent="payment" preventScrollReset className="space-y-6">
        {PAYMENT_KINDS.map((kind) => (
          <fieldset key={kind}>
            <legend className="mb-2 text-sm font-semibold">{KINDS[kind].title}</legend>
            <div className="grid grid-cols-1 gap-3 sm:grid-cols-2 sm:[&>:last-child]:col-span-2">
              <Field field={fields[paymentField(kind, 'name')]} label="Name" required />
              <Field
                field={fields[paymentField(kind, 'accountName')]}
                label="Account name"
                required
              />
              <Field field={fields[paymentField(kind, 'account')]} label={KINDS[kind].account} />
            </div>
          </fieldset>
        ))}
        <SubmitButton intent="payment" pending="Saving…">
          Save payment accounts
        </SubmitButton>
        <HiddenFields fields={before} />
      </ActionForm>
      {isChanged && <DefaultForm intent="payment-default" />}
    </Card>
  )
}
