import type { CustomerView } from '~/domain/administration/customers/customer-page.server'
import { KeyFacts } from '~/components/api-keys/key-facts'
import { ActionForm, HiddenFields } from '~/components/ui/action-form'
import { Card } from '~/components/ui/card'
import { SubmitButton } from '~/components/ui/submit-button'

/** The customer's API keys, whether they may have some, and the buttons that change both. */
export function CustomerKeys({ customer }: { customer: CustomerView }) {
  const { user, apiKeys } = customer
  const { keys, isAllowed, mayHave } = apiKeys
  const isChoice = isAllowed || !mayHave
  return (
    <Card title="API keys">
      <p className="text-sm text-soft">
        {isAllowed
          ? 'Allowed by an administrator.'
          : mayHave
            ? 'Included, by plan or role.'
            : 'Not included in the plan. Keys are refused.'}
      </p>
      <ul className="divide-y divide-line">
        {keys.map((key) => (
          <li key={key.id} className="flex flex-wrap items-center justify-between gap-2 py-3">
            <KeyFacts apiKey={key} />
            <ActionForm intent="end-key" preventScrollReset>
              <HiddenFields fields={{ id: user.id, keyId: key.id }} />
              <SubmitButton intent="end-key" look="plain" aria-label={`End the key ${key.name}`}>
                End
              </SubmitButton>
            </ActionForm>
          </li>
        ))}
      </ul>
      {isChoice && (
        <ActionForm intent="allow-keys" preventScrollReset className="mt-3">
          <HiddenFields fields={{ id: user.id, isAllowed: isAllowed ? 'no' : 'yes' }} />
          <SubmitButton intent="allow-keys" look="plain">
            {isAllowed ? 'Stop allowing API keys' : 'Allow API keys'}
          </SubmitButton>
        </ActionForm>
      )}
    </Card>
  )
}
