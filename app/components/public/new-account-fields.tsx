import type { ComponentProps } from 'react'
import { Field } from '~/components/ui/field'

type Named = Pick<ComponentProps<typeof Field>, 'field'>['field']

/** The phone number and the password of an account that is created. */
export const NewAccountFields = ({ fields }: { fields: { phone: Named; password: Named } }) => (
  <>
    <Field
      field={fields.phone}
      label="Phone number"
      inputMode="tel"
      hint="It is your username."
      autoComplete="username"
      required
    />
    <Field
      field={fields.password}
      label="Password"
      type="password"
      placeholder="min 6 characters"
      autoComplete="new-password"
      required
    />
  </>
)
