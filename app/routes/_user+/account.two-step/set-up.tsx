import type { input } from 'zod'
import type { ShownKey } from '~/domain/accounts/totp.server'
import type { confirmSecondFactorForm, startSecondFactorForm } from '~/domain/accounts/schemas'
import { ActionForm } from '~/components/ui/action-form'
import { Card } from '~/components/ui/card'
import { CopyButton } from '~/components/ui/copy-button'
import { Field } from '~/components/ui/field'
import { OwnPasswordField } from '~/components/ui/own-password-field'
import { SubmitButton } from '~/components/ui/submit-button'
import { textLinkClass } from '~/components/ui/text-link'
import { useActionForm } from '~/components/ui/use-action-form'

/** Asks for the password before a key is created. */
export function StartCard() {
  const [form, fields] = useActionForm<input<typeof startSecondFactorForm>>('start')
  return (
    <Card title="Set it up">
      <p className="mb-4 text-sm text-soft">
        You need an authenticator app, such as Aegis, 2FAS, Google Authenticator or a password
        manager.
      </p>
      <ActionForm {...form} intent="start" className="space-y-4">
        <OwnPasswordField field={fields.password} />
        <SubmitButton intent="start" pending="Starting…">
          Set up
        </SubmitButton>
      </ActionForm>
    </Card>
  )
}

/** The key as a QR code and as text, and the field for the first code. */
export function ConfirmCard({ shown }: { shown: ShownKey }) {
  const [form, fields] = useActionForm<input<typeof confirmSecondFactorForm>>('confirm')
  return (
    <>
      <Card title="1. Add the key to your app">
        <div className="flex flex-col items-center gap-5 sm:flex-row sm:items-start">
          <QrCode {...shown} />
          <div className="min-w-0 space-y-2 text-sm">
            <p>Scan this code with the app, or type this key:</p>
            <p className="break-words font-mono text-base" data-key={shown.key}>
              {shown.key.match(/.{1,4}/g)?.join(' ')}
            </p>
            <CopyButton text={shown.key} label="Copy the key" isLabelShown look="plain" />
            <p>
              <a href={shown.address} className={textLinkClass}>
                Open in an app on this device
              </a>
            </p>
          </div>
        </div>
      </Card>
      <Card title="2. Type the code it shows">
        <ActionForm {...form} intent="confirm" className="space-y-4">
          <Field
            field={fields.code}
            label="Code"
            hint="Six digits. Your other devices are signed out."
            inputMode="numeric"
            autoComplete="one-time-code"
            required
          />
          <SubmitButton intent="confirm" pending="Switching on…">
            Switch on
          </SubmitButton>
        </ActionForm>
      </Card>
    </>
  )
}

/** Black on white in both themes, with the quiet zone of four modules that scanners need. */
function QrCode({ path, size }: ShownKey) {
  return (
    <svg
      role="img"
      aria-label="QR code of the key"
      viewBox={`-4 -4 ${size + 8} ${size + 8}`}
      shapeRendering="crispEdges"
      className="w-56 shrink-0 rounded"
    >
      <rect x={-4} y={-4} width={size + 8} height={size + 8} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}
