import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { json } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { MessageList } from './message-list'
import { PushCard } from './push-card'
import { EmailCard } from './email-card'
import { RemindersCard } from './reminders-card'
import { ShownSecret, WebhookCard } from './webhook-card'
import { ActionToast } from '~/components/ui/toasts'
import { askForEmail } from '~/domain/notifications/email.server'
import { addDevice, removeDevice } from '~/domain/notifications/devices.server'
import {
  getNotifications,
  sendTestNotification,
  turnOff,
} from '~/domain/notifications/own-notifications.server'
import { getPushKeys } from '~/domain/notifications/push-keys.server'
import { reminderFields, REMINDERS_TOGETHER } from '~/domain/notifications/reminders'
import { getReminderWishes, saveReminderWishes } from '~/domain/notifications/reminders.server'
import {
  emptyForm,
  notificationChannelForm,
  notificationDeviceForm,
  notificationEmailForm,
  notificationRemoveForm,
  notificationWebhookForm,
  reminderForm,
} from '~/domain/notifications/schemas'
import { renewWebhookSecret, saveWebhook } from '~/domain/notifications/webhook.server'
import { form, handleForm } from '~/http/forms/forms.server'
import { requireUser } from '~/http/session/guards.server'
import { redirectWithToast } from '~/http/session/toast.server'
import { paths } from '~/lib/paths'
import { pageMeta } from '~/lib/title'

export const meta: MetaFunction = () => pageMeta('Notifications')

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx, sessionId } = requireUser({ request, context })
  const offered = ctx.settings.notifications
  const publicKey = offered.push ? (await getPushKeys(ctx)).publicKey : null
  return json({ offered, publicKey, notifications: await getNotifications(ctx, sessionId) })
}

export async function action(args: ActionFunctionArgs) {
  const { ctx, sessionId } = requireUser(args)
  const done = (title: string, description: string) =>
    redirectWithToast(paths.notifications, { kind: 'success', title, description })
  // The secret is part of the response itself. It never appears in a URL or a cookie.
  const shown: { secret?: string } = {}
  const response = await handleForm(args, {
    'notification-email': form('Link not sent', notificationEmailForm, async (input) => {
      await askForEmail(ctx, input)
      return done('Link sent', `Open the e-mail to ${input.email}.`)
    }),
    'notification-webhook': form(
      'Web address not saved',
      notificationWebhookForm,
      async (input) => {
        const secret = await saveWebhook(ctx, input)
        if (secret !== null) shown.secret = secret
        return done(
          'Web address saved',
          `It is called ${input.eachClip ? 'for each clip, ' : ''}when a batch ends, and with your reminders.`,
        )
      },
    ),
    'notification-secret': form('No new secret', emptyForm, async () => {
      shown.secret = await renewWebhookSecret(ctx)
      return done('New secret', 'The one before has ended.')
    }),
    'notification-device': form(
      'Notifications are not on',
      notificationDeviceForm,
      async (device) => {
        const userAgent = args.request.headers.get('user-agent')
        await addDevice(ctx, { ...device, sessionId, userAgent })
        return done(
          'Notifications are on',
          'This device shows when a batch is done, and your reminders.',
        )
      },
    ),
    'notification-remove': form('Device not removed', notificationRemoveForm, async ({ id }) => {
      await removeDevice(ctx, id)
      return done('Device removed', 'Nothing more is sent to it.')
    }),
    reminders: form('Reminders not saved', reminderForm, {
      shown: async () => ({
        now: reminderFields(await getReminderWishes(ctx.db, ctx.actor.id)),
        together: REMINDERS_TOGETHER,
      }),
      run: async (wishes) => {
        await saveReminderWishes(ctx, wishes)
        return done('Reminders saved', 'They hold from now on.')
      },
    }),
    'notification-test': form(
      'Test not delivered',
      notificationChannelForm,
      async ({ channel }) => {
        const answer = await sendTestNotification(ctx, channel)
        const look = channel === 'push' ? 'Check your devices.' : 'Check your inbox.'
        return done('Test sent', answer === null ? look : `Answer ${answer}.`)
      },
    ),
    'notification-off': form('Not turned off', notificationChannelForm, async ({ channel }) => {
      await turnOff(ctx, channel)
      return done('Turned off', 'Nothing more is sent, and the settings are deleted.')
    }),
  })
  return shown.secret === undefined ? response : json({ secret: shown.secret })
}

export { clientAction, shouldRevalidate } from '~/components/ui/page-forms'

export default function NotificationsPage() {
  const { offered, publicKey, notifications } = useLoaderData<typeof loader>()
  const response = useActionData<typeof action>()
  const secret = response && 'secret' in response ? response.secret : null
  const isOffered = Object.values(offered).includes(true)
  const failure = response && 'toast' in response ? response : undefined
  return (
    <div className="mx-auto max-w-2xl space-y-4">
      <ActionToast toast={failure?.toast} />
      <h1 className="text-xl font-semibold">Notifications</h1>
      <p className="text-sm text-soft">
        {isOffered
          ? 'You get one notification when a batch is done, with its counts and a link, and the reminders that you choose. Single videos send none, but a webhook can be called for each clip.'
          : 'Notifications are not offered here.'}
      </p>
      <ShownSecret key={notifications.webhook?.url ?? ''} value={secret} />
      <PushCard publicKey={publicKey} devices={notifications.devices} />
      <EmailCard isOffered={offered.email} email={notifications.email} />
      <WebhookCard isOffered={offered.webhook} webhook={notifications.webhook} />
      {isOffered && <RemindersCard wishes={notifications.wishes} />}
      <MessageList messages={notifications.messages} />
    </div>
  )
}
