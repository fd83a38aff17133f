import type { FieldMetadata } from '@conform-to/react'
import { Field } from './field'
import { useRootData } from './use-root-data'

type Props = { fields: { code: FieldMetadata; recoveryCode: FieldMetadata } }

/** `CodeFields` in a form that asks for the own password, if the account has two-step sign-in. */
export const OwnCodeFields = ({ fields }: Props) =>
  useRootData()?.asksForCode === true && <CodeFields fields={fields} />

/**
 * Asks for the code of an authenticator app, or for one of the recovery codes. One of the two is
 * enough.
 */
export function CodeFields({ fields }: Props) {
  return (
    <>
      <Field
        field={fields.code}
        label="Code"
        hint="The six digits that your authenticator app shows now"
        inputMode="numeric"
        autoComplete="one-time-code"
      />
      {/* A wrong recovery code is said inside. */}
      <details className="text-sm" open={fields.recoveryCode.errors !== undefined}>
        <summary className="flex min-h-11 cursor-pointer items-center underline underline-offset-4">
          I have lost my device
        </summary>
        <Field
          field={fields.recoveryCode}
          label="Recovery code"
          hint="One of the codes you saved. It works once."
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
      </details>
    </>
  )
}
