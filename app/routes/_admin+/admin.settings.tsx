import {
  json,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
} from '@remix-run/node'
import { useActionData, useLoaderData, type ClientActionFunctionArgs } from '@remix-run/react'
import { sendAdminForm } from '~/components/admin/send-admin-form'
import { AlarmsPanel } from '~/components/admin/settings/alarms-panel'
import { AnnouncementPanel } from '~/components/admin/settings/announcement-panel'
import { ChatTextsPanel } from '~/components/admin/settings/chat-texts-panel'
import { ContactsPanel } from '~/components/admin/settings/contacts-panel'
import { PageHeader } from '~/components/admin/page-header'
import { PausePanel } from '~/components/admin/settings/pause-panel'
import { PaymentPanel } from '~/components/admin/settings/payment-panel'
import { unlessUnanswered } from '~/components/layout/should-revalidate'
import { ActionToast } from '~/components/ui/action-toast'
import { SETTINGS_FAILED } from '~/lib/failure-titles'
import { getBusiness } from '~/domain/business/settings.server'
import { handleForm } from '~/http/forms/forms.server'
import { requireAdmin } from '~/http/session/guards.server'
import { pageMeta } from '~/lib/title'
import { businessForms } from './admin.settings.server'

export const meta: MetaFunction = () => pageMeta('Settings')

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx } = requireAdmin({ request, context })
  const business = await getBusiness(ctx)
  const language = new URL(request.url).searchParams.get('language')
  const { timeZone } = ctx.settings
  return json({ ...business, language, ready: ctx.alarms.ready, timeZone })
}

export async function action(args: ActionFunctionArgs) {
  return handleForm(args, businessForms(requireAdmin(args).ctx))
}

/** Submits a form with scripts. If no response comes, keeps the page and what was typed. */
export function clientAction({ request, serverAction }: ClientActionFunctionArgs) {
  const send = () => serverAction<typeof action>()
  return sendAdminForm(request, { send, titles: SETTINGS_FAILED })
}

export { unlessUnanswered as shouldRevalidate }

/** What the operator changes in business. Changes take effect at once, without a restart. */
export default function SettingsPage() {
  const { announcement, pause, contacts, payment, chatTexts, isChanged, ...rest } =
    useLoaderData<typeof loader>()
  const failure = useActionData<typeof action>()
  return (
    <div className="space-y-6">
      <ActionToast toast={failure?.toast} />
      <PageHeader
        title="Settings"
        note="Changes take effect at once. Saving asks for your password."
      />
      <div className="grid grid-cols-1 gap-4 xl:grid-cols-2">
        <AnnouncementPanel key={announcement?.id} announcement={announcement} />
        <PausePanel pause={pause} />
        <ContactsPanel contacts={contacts} isChanged={isChanged.contacts} />
        <PaymentPanel accounts={payment} isChanged={isChanged.payment} />
        <AlarmsPanel alarms={rest.alarms} ready={rest.ready} timeZone={rest.timeZone} />
        <ChatTextsPanel
          languages={chatTexts}
          language={rest.language}
          isChanged={isChanged.chatTexts}
        />
      </div>
    </div>
  )
}
