import { Form } from '@remix-run/react'
import type { input } from 'zod'
import { LIMITS } from '~/domain/accounts/rules'
import type { createApiKeyForm } from '~/domain/accounts/schemas'
import { paths } from '~/lib/paths'
import { FormIdentity } from '~/components/ui/action-form'
import { Card } from '~/components/ui/card'
import { OwnCodeFields } from '~/components/ui/code-fields'
import { Field } from '~/components/ui/field'
import { OwnPasswordField } from '~/components/ui/own-password-field'
import { ShownOnce } from '~/components/ui/shown-once'
import { SubmitButton } from '~/components/ui/submit-button'
import { useActionForm } from '~/components/ui/use-action-form'

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
        <OwnCodeFields fields={fields} />
        <SubmitButton intent="create-key">Create key</SubmitButton>
        <FormIdentity intent="create-key" />
      </Form>
    </Card>
  )
}

type ShownKeyProps = { value: string | null; address: string }

/** A key that was just made, with a first call to try it. */
export function ShownKey({ value, address }: ShownKeyProps) {
  return (
    <ShownOnce
      title="Your new key"
      value={value}
      text="It is shown only now. Copy it to where your program reads it."
      copyLabel="Copy the key"
      page={paths.apiKeys}
    >
      {(key) => (
        <>
          <p className="select-all break-all font-mono text-sm" data-api-key>
            {key}
          </p>
          <p className="mt-4 text-sm text-soft">To try it, list your newest videos:</p>
          <pre className="mt-1 select-all whitespace-pre-wrap break-all rounded bg-sunken p-2 font-mono text-xs">
            {`curl -H 'Authorization: Bearer ${key}' ${new URL(paths.api.changes, address).href}`}
          </pre>
        </>
      )}
    </ShownOnce>
  )
}
