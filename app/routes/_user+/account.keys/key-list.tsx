import { getInputProps } from '@conform-to/react'
import { Form } from '@remix-run/react'
import type { input } from 'zod'
import type { ApiKeyView } from '~/domain/accounts/api-keys.server'
import type { endApiKeyForm } from '~/domain/accounts/schemas'
import { FormIdentity } from '~/components/ui/action-form'
import { Card } from '~/components/ui/card'
import { FieldErrors } from '~/components/ui/field-frame'
import { OwnPasswordField } from '~/components/ui/own-password-field'
import { SubmitButton } from '~/components/ui/submit-button'
import { useActionForm } from '~/components/ui/use-action-form'
import { KeyFacts } from '~/components/api-keys/key-facts'

/** The keys of the account, of which one can be ended with the password. */
export function KeyList({ keys }: { keys: readonly ApiKeyView[] }) {
  const [form, fields] = useActionForm<input<typeof endApiKeyForm>>('end-key')
  return (
    <Card title="Your keys">
      <Form {...form} method="post" className="space-y-4" preventScrollReset>
        <ul className="divide-y divide-line">
          {keys.map((key) => (
            <li key={key.id}>
              <label className="flex min-h-11 cursor-pointer items-center gap-3 py-3">
                <input
                  {...getInputProps(fields.id, { type: 'radio', value: key.id })}
                  id={`${fields.id.id}-${key.id}`}
                  className="size-5 shrink-0"
                  required
                />
                <KeyFacts apiKey={key} />
              </label>
            </li>
          ))}
        </ul>
        <FieldErrors id={fields.id.errorId} messages={fields.id.errors} />
        <OwnPasswordField field={fields.ownPassword} />
        <SubmitButton intent="end-key" look="warning">
          End the selected key
        </SubmitButton>
        <FormIdentity intent="end-key" />
      </Form>
    </Card>
  )
}
