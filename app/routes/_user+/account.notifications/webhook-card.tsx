import { getInputProps } from '@conform-to/react'
import { Form } from '@remix-run/react'
import type { input } from 'zod'
import { NOTIFICATION_LIMITS } from '~/domain/notifications/rules'
import type { notificationWebhookForm } from '~/domain/notifications/schemas'
import type { NotificationsView } from '~/domain/notifications/types'
import { paths } from '~/lib/paths'
import { ActionForm, FormIdentity } from '~/components/ui/action-form'
import { Badge } from '~/components/ui/badge'
import { Card } from '~/components/ui/card'
import { Field } from '~/components/ui/field'
import { CheckboxField } from '~/components/ui/field-frame'
import { ShownOnce } from '~/components/ui/shown-once'
import { SubmitButton } from '~/components/ui/submit-button'
import { useActionForm } from '~/components/ui/use-action-form'
import { ChannelButtons } from './channel-buttons'

type Props = { isOffered: boolean; webhook: NotificationsView['webhook'] }

/** The web address of a program that is told. */
export function WebhookCard({ isOffered, webhook }: Props) {
  if (!isOffered && webhook === null) return null
  return (
    <Card title="By webhook">
      <div className="space-y-4">
        {webhook !== null && <WebhookState isOffered={isOffered} webhook={webhook} />}
        {isOffered && <UrlForm webhook={webhook} />}
      </div>
    </Card>
  )
}

type StateProps = { isOffered: boolean; webhook: NonNullable<NotificationsView['webhook']> }

function WebhookState({ isOffered, webhook: { url, isStopped } }: StateProps) {
  const isOn = isOffered && !isStopped
  return (
    <>
      <p className="break-all">
        {url} <Badge tone={isOn ? 'good' : 'warn'}>{isOn ? 'On' : 'Not sent'}</Badge>
      </p>
      {isStopped && (
        <p className="rounded border border-warn px-3 py-2 text-sm text-warn">
          Your server answered 410 (Gone), so nothing more is sent. To turn it on again, save its
          address.
        </p>
      )}
      <ChannelButtons channel="webhook" canTest={isOn}>
        {isOffered && (
          <ActionForm intent="notification-secret" preventScrollReset>
            <SubmitButton intent="notification-secret" look="plain">
              Make a new secret
            </SubmitButton>
          </ActionForm>
        )}
      </ChannelButtons>
    </>
  )
}

function UrlForm({ webhook }: Pick<Props, 'webhook'>) {
  const defaultValue = { url: webhook?.url ?? '', eachClip: webhook?.tellsClips ? 'on' : '' }
  const [form, fields] = useActionForm<input<typeof notificationWebhookForm>>(
    'notification-webhook',
    {
      defaultValue,
    },
  )
  return (
    <Form {...form} method="post" className="space-y-4" preventScrollReset>
      <Field
        field={fields.url}
        label="Web address"
        hint="It starts with https:// and can be reached from the internet."
        type="url"
        autoComplete="off"
        maxLength={NOTIFICATION_LIMITS.urlCharacters}
        required
      />
      <CheckboxField
        label="Also call it for each clip"
        hint="With the file, a title, text and tags, so that your scheduler can post it."
        {...getInputProps(fields.eachClip, { type: 'checkbox' })}
      />
      <SubmitButton intent="notification-webhook" pending="Saving…">
        Save
      </SubmitButton>
      <FormIdentity intent="notification-webhook" />
    </Form>
  )
}

/** A secret that was just made. */
export function ShownSecret({ value }: { value: string | null }) {
  return (
    <ShownOnce
      title="The secret of your webhook"
      value={value}
      text="It is shown only now, and an earlier one no longer works. Copy it to your receiver, which checks with it that a call is ours (Standard Webhooks)."
      copyLabel="Copy the secret"
      page={paths.notifications}
    >
      {(secret) => (
        <p className="select-all break-all font-mono text-sm" data-webhook-secret>
          {secret}
        </p>
      )}
    </ShownOnce>
  )
}
