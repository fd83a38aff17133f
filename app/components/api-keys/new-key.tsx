import { Form } from '@remix-run/react'
import type { input } from 'zod'
import { LIMITS } from '~/domain/accounts/rules'
import type { createApiKeyForm } from '~/domain/accounts/schemas'
import { paths } from '~/lib/paths'
import { FormIdentity } from '../ui/action-form'
import { ButtonLink } from '../ui/button'
import { Card } from '../ui/card'
import { CopyButton } from '../ui/copy-button'
import { Field } from '../ui/field'
import { OwnPasswordField } from '../ui/own-password-field'
import { SubmitButton } from '../ui/submit-button'
import { useActionForm } from '../ui/use-action-form'

/** Makes a key: its name, the last day on which it works, and the password. */
export function NewKeyForm() {
  const [form, fields] = useActionForm<input<typeof createApiKeyForm>>('create-key')
  return (
    <Card title="New key">
      <Form {...form} method="post" className="space-y-4">
        <Field
          field={fields.name}
          label="Name"
          hint="What the key is for."
          maxLength={LIMITS.apiKeyNameCharacters}
          autoComplete="off"
          required
        />
        <Field
          field={fields.lastDay}
          label="Last day (optional)"
          hint="Without one the key works until you end it."
          type="date"
        />
        <OwnPasswordField field={fields.ownPassword} />
        <SubmitButton intent="create-key">Create key</SubmitButton>
        <FormIdentity intent="create-key" />
      </Form>
    </Card>
  )
}

/** A key that was just made, with a first call to try it. It is shown only once. */
export function ShownKey({ value, address }: { value: string; address: string }) {
  const call = `curl -H 'Authorization: Bearer ${value}' ${new URL(paths.api.changes, address).href}`
  return (
    <Card title="Your new key">
      <p className="mb-4 rounded border border-warn px-3 py-2 text-sm text-warn">
        It is shown only now. Copy it to where your program reads it.
      </p>
      <p className="select-all break-all font-mono text-sm" data-api-key>
        {value}
      </p>
      <p className="mt-4 text-sm text-soft">To try it, list your newest videos:</p>
      <pre className="mt-1 select-all whitespace-pre-wrap break-all rounded bg-sunken p-2 font-mono text-xs">
        {call}
      </pre>
      <div className="mt-4 flex flex-wrap gap-2">
        <CopyButton text={value} label="Copy the key" isLabelShown look="plain" />
        <ButtonLink to={paths.apiKeys}>I have saved it</ButtonLink>
      </div>
    </Card>
  )
}
