import { Form } from '@remix-run/react'
import type { input } from 'zod'
import type { secondFactorProof } from '~/domain/accounts/schemas'
import { plural } from '~/lib/figures'
import { FormToken } from '~/components/ui/action-form'
import { buttonClass, ButtonLink } from '~/components/ui/button'
import { Card } from '~/components/ui/card'
import { CodeFields } from '~/components/ui/code-fields'
import { CopyButton } from '~/components/ui/copy-button'
import { OwnPasswordField } from '~/components/ui/own-password-field'
import { SubmitButton } from '~/components/ui/submit-button'
import { useActionForm } from '~/components/ui/use-action-form'

/** New recovery codes and switching off. Both need the password and a code. */
export function OnCard({ codesLeft }: { codesLeft: number }) {
  const [form, fields] = useActionForm<input<typeof secondFactorProof>>(['renew', 'off'])
  return (
    <Card title="Two-step sign-in is on">
      <p className="mb-4 text-sm text-soft">{plural(codesLeft, 'recovery code')} left.</p>
      <Form {...form} method="post" className="space-y-4">
        <OwnPasswordField field={fields.password} />
        <CodeFields fields={fields} />
        <div className="flex flex-wrap gap-2">
          <SubmitButton intent="renew" name="intent" value="renew" look="plain">
            Make new recovery codes
          </SubmitButton>
          <SubmitButton intent="off" name="intent" value="off" look="warning">
            Switch off
          </SubmitButton>
        </div>
        <FormToken />
      </Form>
    </Card>
  )
}

type CodesProps = { codes: readonly string[]; leadsTo: string }

/**
 * The recovery codes, shown only once. The link itself contains the file, so that saving works
 * without scripts.
 */
export function RecoveryCodes({ codes, leadsTo }: CodesProps) {
  const text = `${codes.join('\n')}\n`
  return (
    <Card title="Save your recovery codes">
      <p className="mb-4 rounded border border-warn px-3 py-2 text-sm text-warn">
        They are shown only now. Each lets you sign in once when your device is lost.
      </p>
      <ul className="grid gap-1 font-mono text-sm sm:grid-cols-2" data-recovery-codes>
        {codes.map((code) => (
          <li key={code} className="break-all">
            {code}
          </li>
        ))}
      </ul>
      <div className="mt-4 flex flex-wrap gap-2">
        <CopyButton text={text} label="Copy all" isLabelShown look="plain" />
        <a
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
          download="recovery-codes.txt"
          className={buttonClass('plain')}
        >
          Save as a file
        </a>
        <ButtonLink to={leadsTo}>I have saved them</ButtonLink>
      </div>
    </Card>
  )
}
