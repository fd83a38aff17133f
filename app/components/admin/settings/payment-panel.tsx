import { paymentField } from '~/domain/business/payment-fields'
import { PAYMENT_KINDS, type PaymentAccounts, type PaymentKind } from '~/domain/context'
import { ActionForm } from '../../ui/action-form'
import { Card } from '../../ui/card'
import { Field } from '../../ui/field'
import { SubmitButton } from '../../ui/submit-button'
import { useActionForm } from '../../ui/use-action-form'
import { DefaultForm } from './default-form'

const KINDS = {
  exchange: { title: 'Exchange', account: 'E-mail address' },
  wallet: { title: 'Wallet', account: 'Phone number' },
  bank: { title: 'Bank', account: 'IBAN' },
} as const satisfies Record<PaymentKind, { title: string; account: string }>

type Props = { accounts: PaymentAccounts; isChanged: boolean }
type Fields = Record<ReturnType<typeof paymentField>, string>

/** The accounts on the pricing page. One without an account is not shown. */
export function PaymentPanel({ accounts, isChanged }: Props) {
  const defaultValue = Object.fromEntries(
    PAYMENT_KINDS.flatMap((kind) => {
      const { name, accountName, account } = accounts[kind]
      return [
        [paymentField(kind, 'name'), name],
        [paymentField(kind, 'accountName'), accountName],
        [paymentField(kind, 'account'), account ?? ''],
      ]
    }),
  )
  const [form, fields] = useActionForm<Fields>('payment', { defaultValue })
  return (
    <Card title="Payment accounts">
      <p className="mb-4 text-sm text-soft">
        Buyers see them on the pricing page. One without an account is not shown.
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
      </ActionForm>
      {isChanged && <DefaultForm intent="payment-default" />}
    </Card>
  )
}
