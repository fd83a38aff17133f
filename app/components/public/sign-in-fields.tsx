import { Link } from '@remix-run/react'
import type { SignInFailure } from '~/http/actions/sign-in.server'
import { paths } from '~/lib/paths'
import { Button } from '../ui/button'
import { Field } from '../ui/field'
import { CodeFields } from '../ui/code-fields'

type Props = { failure: Pick<SignInFailure, 'username' | 'fields' | 'step'> | null | undefined }

/**
 * The sign-in fields and their button. After a failed attempt the username stays. After the correct
 * password of an account with a second factor, the fields for its code.
 */
export function SignInFields({ failure }: Props) {
  if (failure?.step != null) {
    return (
      <>
        <CodeFields errors={failure.fields} />
        <Button className="w-full">Sign In</Button>
        <input type="hidden" name="step" value={failure.step} />
        <input type="hidden" name="username" value={failure.username} />
        <p className="text-sm">
          <Link
            to={paths.login}
            className="inline-flex min-h-11 items-center underline underline-offset-4"
          >
            Start again
          </Link>
        </p>
      </>
    )
  }
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
