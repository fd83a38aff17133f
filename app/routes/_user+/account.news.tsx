import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { json } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { unlessUnanswered } from '~/components/layout/should-revalidate'
import { MessageList } from '~/components/news/message-list'
import { PushCard } from '~/components/news/push-card'
import { EmailCard } from '~/components/news/email-card'
import { ShownSecret, WebhookCard } from '~/components/news/webhook-card'
import { ActionToast } from '~/components/ui/action-toast'
import { askForEmail } from '~/domain/news/email.server'
import { addDevice, removeDevice } from '~/domain/news/devices.server'
import { getNews, sendTestNews, turnOff } from '~/domain/news/own-news.server'
import { getPushKeys } from '~/domain/news/push-keys.server'
import {
  emptyForm,
  newsChannelForm,
  newsDeviceForm,
  newsEmailForm,
  newsRemoveForm,
  newsWebhookForm,
} from '~/domain/news/schemas'
import { renewWebhookSecret, saveWebhook } from '~/domain/news/webhook.server'
import { form, handleForm } from '~/http/forms/forms.server'
import { requireUser } from '~/http/session/guards.server'
import { redirectWithToast } from '~/http/session/toast.server'
import { paths } from '~/lib/paths'
import { pageMeta } from '~/lib/title'

export const meta: MetaFunction = () => pageMeta('Notifications')

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx, sessionId } = requireUser({ request, context })
  const offered = ctx.settings.news
  const publicKey = offered.push ? (await getPushKeys(ctx)).publicKey : null
  return json({ offered, publicKey, news: await getNews(ctx, sessionId) })
}

export async function action(args: ActionFunctionArgs) {
  const { ctx, sessionId } = requireUser(args)
  const done = (title: string, description: string) =>
    redirectWithToast(paths.news, { kind: 'success', title, description })
  // The secret is part of the response itself. It never appears in a URL or a cookie.
  const shown: { secret?: string } = {}
  const response = await handleForm(args, {
    'news-email': form('Link not sent', newsEmailForm, async (input) => {
      await askForEmail(ctx, input)
      return done('Link sent', `Open the e-mail to ${input.email}.`)
    }),
    'news-webhook': form('Web address not saved', newsWebhookForm, async (input) => {
      const secret = await saveWebhook(ctx, input)
      if (secret !== null) shown.secret = secret
      return done('Web address saved', 'It is called when a batch ends.')
    }),
    'news-secret': form('No new secret', emptyForm, async () => {
      shown.secret = await renewWebhookSecret(ctx)
      return done('New secret', 'The one before has ended.')
    }),
    'news-device': form('Notifications are not on', newsDeviceForm, async (device) => {
      const userAgent = args.request.headers.get('user-agent')
      await addDevice(ctx, { ...device, sessionId, userAgent })
      return done('Notifications are on', 'This device shows one when a batch is done.')
    }),
    'news-remove': form('Device not removed', newsRemoveForm, async ({ id }) => {
      await removeDevice(ctx, id)
      return done('Device removed', 'Nothing more is sent to it.')
    }),
    'news-test': form('Test not delivered', newsChannelForm, async ({ channel }) => {
      const answer = await sendTestNews(ctx, channel)
      const look = channel === 'push' ? 'Check your devices.' : 'Check your inbox.'
      return done('Test sent', answer === null ? look : `Answer ${answer}.`)
    }),
    'news-off': form('Not turned off', newsChannelForm, async ({ channel }) => {
      await turnOff(ctx, channel)
      return done('Turned off', 'Nothing more is sent, and what was set is forgotten.')
    }),
  })
  return shown.secret === undefined ? response : json({ secret: shown.secret })
}

export { unlessUnanswered as shouldRevalidate }

export default function NewsPage() {
  const { offered, publicKey, news } = useLoaderData<typeof loader>()
  const response = useActionData<typeof action>()
  const secret = response && 'secret' in response ? response.secret : null
  const failure = response && 'toast' in response ? response : undefined
  return (
    <div className="mx-auto max-w-2xl space-y-4">
      <ActionToast toast={failure?.toast} />
      <h1 className="text-xl font-semibold">Notifications</h1>
      <p className="text-sm text-soft">
        You get one notification when a batch is done, with its counts and a link. Single videos
        send none.
      </p>
      {secret !== null && <ShownSecret value={secret} />}
      <PushCard publicKey={publicKey} devices={news.devices} />
      <EmailCard isOffered={offered.email} email={news.email} />
      <WebhookCard isOffered={offered.webhook} webhook={news.webhook} />
      <MessageList messages={news.messages} />
    </div>
  )
}
