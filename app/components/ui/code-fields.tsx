import { Field } from './field'

type Props = { errors?: Readonly<Record<string, string[] | null | undefined>> | null | undefined }

/**
 * Asks for the code of an authenticator app, or for one of the recovery codes. One of the two is
 * enough.
 */
export function CodeFields({ errors }: Props) {
  return (
    <>
      <Field
        name="code"
        label="Code"
        hint="The six digits that your authenticator app shows now"
        inputMode="numeric"
        autoComplete="one-time-code"
        errors={errors?.code}
      />
      <details className="text-sm">
        <summary className="flex min-h-11 cursor-pointer items-center underline underline-offset-4">
          I have lost my device
        </summary>
        <Field
          name="recoveryCode"
          label="Recovery code"
          hint="One of the codes you saved. It works once."
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          errors={errors?.recoveryCode}
        />
      </details>
    </>
  )
}
