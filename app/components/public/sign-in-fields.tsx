import { getInputProps } from '@conform-to/react'
import type { ReactNode } from 'react'
import { Button } from '../ui/button'
import { Field } from '../ui/field'
import { CodeFields } from '../ui/code-fields'
import { textLinkClass } from '../ui/text-link'
import type { useActionForm } from '../ui/use-action-form'

/** The fields of both steps. */
export type SignInFieldNames = Record<'username' | 'password' | 'code' | 'recoveryCode', string>

type Props = {
  fields: ReturnType<typeof useActionForm<SignInFieldNames>>[1]
  /** Proves the correct password, if the account also needs a code. */
  step: string | null | undefined
  /** Leads from the code back to the password, with what the page carries. */
  startAgain: ReactNode
}

/** For `startAgain`. */
export const START_AGAIN = {
  className: textLinkClass,
  children: 'Start again',
} as const

/**
 * The sign-in fields and their button. After a failed attempt the username stays. After the correct
 * password of an account with a second factor, the fields for its code.
 */
export function SignInFields({ fields, step, startAgain }: Props) {
  if (step != null) {
    return (
      <>
        <CodeFields fields={fields} />
        <Button className="w-full">Sign In</Button>
        <input type="hidden" name="step" value={step} />
        <input {...getInputProps(fields.username, { type: 'hidden' })} />
        <p className="text-sm">{startAgain}</p>
      </>
    )
  }
  return (
    <>
      <Field
        field={fields.username}
        label="Username"
        hint="Your phone number"
        autoComplete="username"
        required
      />
      <Field
        field={fields.password}
        label="Password"
        type="password"
        autoComplete="current-password"
        required
      />
      <Button className="w-full">Sign In</Button>
    </>
  )
}
