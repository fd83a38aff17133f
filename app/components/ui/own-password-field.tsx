import { Field } from './field'

type Props = {
  id?: string
  name?: string
  label?: string
  errors?: readonly string[] | null | undefined
}

/** Asks for the password of the signed-in account. */
export function OwnPasswordField({ name = 'password', label = 'Your password', ...rest }: Props) {
  return (
    <Field
      name={name}
      label={label}
      {...rest}
      type="password"
      autoComplete="current-password"
      required
    />
  )
}
