import type { ReactNode } from 'react'
import type { Customer } from '~/domain/administration/helpers/helper-acts.server'
import type { Right } from '~/domain/context'
import { figure, plural } from '~/lib/figures'
import { dayTimeAndZone } from '~/lib/time'
import { ActionForm, HiddenFields } from '~/components/ui/action-form'
import { Card } from '~/components/ui/card'
import { SubmitButton } from '~/components/ui/submit-button'
import { usePlatformZone } from '~/components/ui/use-root-data'
import { useActionForm } from '~/components/ui/use-action-form'
import { SurpriseTicks, type TickValues } from '~/components/admin/payments/surprise-ticks'
import {
  paidDefaults,
  PaidFields,
  useLastPaid,
  type PaidValues,
} from '~/components/admin/payments/paid-fields'

type Props = {
  customer: Customer
  may: { rights: readonly Right[]; takesPayments: boolean }
  /** How many videos the helper may still regenerate today. */
  left: number
  formKey: string
}

/** A customer, and what the helper may do for them. */
export function CustomerCard({ customer, may, left, formKey }: Props) {
  const { rights, takesPayments } = may
  const { plan, expiryDate, isActive, videosGeneratedToday, videoLimit, failed } = customer
  const timeZone = usePlatformZone()
  const press = { customer, formKey }
  const mayRegenerate = rights.includes('regenerate') && failed > 0
  return (
    <Card title={customer.username}>
      <dl className="grid grid-cols-2 gap-3 text-sm sm:grid-cols-4">
        <Fact label="Plan">{plan ?? 'None'}</Fact>
        <Fact label="Ends">
          {expiryDate === null ? 'Never' : dayTimeAndZone(expiryDate, timeZone)}
        </Fact>
        <Fact label="Today">
          {isActive
            ? `${figure(videosGeneratedToday)} of ${figure(videoLimit)} used`
            : 'Disabled by the administrator'}
        </Fact>
        <Fact label="Failed videos">{figure(failed)}</Fact>
      </dl>
      {rights.includes('renew') && <RenewForm {...press} takesPayments={takesPayments} />}
      <div className="mt-4 flex flex-wrap gap-2">
        {rights.includes('passwords') && (
          <Press {...press} intent="password" label="New password" />
        )}
        {mayRegenerate && failed <= left && (
          <Press
            {...press}
            intent="regenerate"
            label={`Regenerate ${plural(failed, 'failed video')}`}
          />
        )}
        {mayRegenerate && failed > left && (
          <Press {...press} intent="ask" label="Ask the administrator" />
        )}
      </div>
      {mayRegenerate && left < Number.MAX_SAFE_INTEGER && (
        <p className="mt-2 text-sm text-soft">
          You may regenerate {plural(left, 'more video')} today.
        </p>
      )}
    </Card>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-soft">{label}</dt>
      <dd className="break-words font-medium">{children}</dd>
    </div>
  )
}

type RenewProps = Pick<PressProps, 'customer' | 'formKey'> & { takesPayments: boolean }

function RenewForm({ customer, formKey, takesPayments }: RenewProps) {
  const [form, fields] = useActionForm<Required<PaidValues> & TickValues>('renew', {
    defaultValue: paidDefaults(useLastPaid()),
  })
  return (
    <ActionForm {...form} intent="renew" preventScrollReset className="mt-4 max-w-xl space-y-3">
      {takesPayments && <PaidFields fields={fields} empty="Empty: the plan’s price." />}
      <HiddenFields fields={{ id: customer.id, name: customer.username, formKey }} />
      <SurpriseTicks fields={fields} surprises={[]} instead={{ disabled: true }} />
      <SubmitButton intent="renew">Renew 30 days</SubmitButton>
    </ActionForm>
  )
}

type PressProps = {
  customer: Pick<Customer, 'id' | 'username'>
  formKey: string
  intent: 'password' | 'regenerate' | 'ask'
  label: string
}

const Press = ({ customer, formKey, intent, label }: PressProps) => (
  <ActionForm intent={intent} preventScrollReset>
    <HiddenFields fields={{ id: customer.id, name: customer.username, formKey }} />
    <SubmitButton intent={intent} look="plain">
      {label}
    </SubmitButton>
  </ActionForm>
)
