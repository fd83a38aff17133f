import type { SignInFailure } from '~/http/sign-in.server'
import { Button } from '../ui/button'
import { Field } from '../ui/field'

type Props = { failure: Pick<SignInFailure, 'username' | 'fields'> | null | undefined }

/** What somebody signs in with, and the button that does it; of a failed attempt the name stays. */
export function SignInFields({ failure }: Props) {
  return (
    <>
      <Field
        name="username"
        label="Username"
        hint="Your phone number"
        autoComplete="username"
        defaultValue={failure?.username}
        errors={failure?.fields.username}
        required
      />
      <Field
        name="password"
        label="Password"
        type="password"
        autoComplete="current-password"
        errors={failure?.fields.password}
        required
      />
      <Button className="w-full">Sign In</Button>
    </>
  )
}
