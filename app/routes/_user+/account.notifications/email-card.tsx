import { Form } from '@remix-run/react'
import type { input } from 'zod'
import { NOTIFICATION_LIMITS } from '~/domain/notifications/rules'
import type { notificationEmailForm } from '~/domain/notifications/schemas'
import type { NotificationsView } from '~/domain/notifications/types'
import { FormIdentity } from '~/components/ui/action-form'
import { Badge } from '~/components/ui/badge'
import { Card } from '~/components/ui/card'
import { Field } from '~/components/ui/field'
import { SubmitButton } from '~/components/ui/submit-button'
import { useActionForm } from '~/components/ui/use-action-form'
import { ChannelButtons } from './channel-buttons'

type Props = { isOffered: boolean; email: NotificationsView['email'] }

/** The e-mail address to which notifications go. It is confirmed by a link. */
export function EmailCard({ isOffered, email }: Props) {
  const address = email?.address ?? null
  const asked = email?.asked ?? null
  if (!isOffered && address === null && asked === null) return null
  return (
    <Card title="By e-mail">
      <div className="space-y-4">
        {address !== null && (
          <p className="break-words">
            <bdi>{address}</bdi>{' '}
            <Badge tone={isOffered ? 'good' : 'warn'}>{isOffered ? 'On' : 'Not sent'}</Badge>
          </p>
        )}
        {asked !== null && (
          <p className="break-words rounded border border-line px-3 py-2 text-sm">
            We sent a link to <bdi>{asked}</bdi>. Open it within {NOTIFICATION_LIMITS.linkHours}{' '}
            hours and press the button there.
          </p>
        )}
        {(address !== null || asked !== null) && (
          <ChannelButtons channel="email" canTest={isOffered && address !== null} />
        )}
        {isOffered && <AddressForm hasOne={address !== null} />}
      </div>
    </Card>
  )
}

function AddressForm({ hasOne }: { hasOne: boolean }) {
  const [form, fields] = useActionForm<input<typeof notificationEmailForm>>('notification-email')
  return (
    <Form {...form} method="post" className="space-y-4" preventScrollReset>
      <Field
        field={fields.email}
        label={hasOne ? 'Another e-mail address' : 'E-mail address'}
        hint="We send a link to it first. Nothing else is sent before you confirm it."
        type="email"
        autoComplete="email"
        maxLength={NOTIFICATION_LIMITS.addressCharacters}
        required
      />
      <SubmitButton intent="notification-email" pending="Sending…">
        Send the link
      </SubmitButton>
      <FormIdentity intent="notification-email" />
    </Form>
  )
}
